/** A letter as HTML and as text: one column that every mail program shows, in the site's colour, readable in the dark. */
import { html, raw } from 'hono/html'
import { channelsOf, luminance } from './color.ts'
import type { LetterText, Sender } from './letter.ts'

const font = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

/** Mail programs drop style sheets, so each element carries its own; the sheet only turns the lights down. */
const darkSheet = `
@media (prefers-color-scheme: dark) {
  body, .ground { background: #14161a !important; }
  .sheet { background: #1d2026 !important; border-color: #30343c !important; }
  .ink, .sheet h1, .sheet p, .sheet td { color: #e8eaee !important; }
  .quiet, .sheet td.quiet, p.quiet { color: #a4abb8 !important; }
  .rule { border-color: #30343c !important; }
}`

/** White or black, whichever can be read on the colour. */
const inkOn = (color: string): '#ffffff' | '#111111' => (luminance(channelsOf(color)) > 0.4 ? '#111111' : '#ffffff')

export function renderLetterHtml(letter: LetterText, { siteName, accentColor }: Sender): string {
  const rows = letter.facts.map(
    ([label, value], place) => html`<tr>
<td class="quiet rule" style="padding:10px 16px 10px 0;white-space:nowrap;${raw(place > 0 ? 'border-top:1px solid #e6e8ec;' : '')}color:#5b6270;${raw(font)};font-size:14px">${label}</td>
<td class="ink rule" align="right" style="padding:10px 0;${raw(place > 0 ? 'border-top:1px solid #e6e8ec;' : '')}color:#16181d;${raw(font)};font-size:14px;font-weight:600">${value}</td>
</tr>`,
  )
  const table =
    rows.length === 0
      ? ''
      : html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0 0">${rows}</table>`
  const button =
    letter.action === null
      ? ''
      : html`<p style="margin:28px 0 0"><a href="${letter.action.url}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:${accentColor};color:${inkOn(accentColor)};${raw(font)};font-size:16px;font-weight:600;text-decoration:none">${letter.action.label}</a></p>
<p class="quiet" style="margin:16px 0 0;color:#5b6270;${raw(font)};font-size:12px;line-height:1.5;word-break:break-all">If the button does not work, open this address: <a href="${letter.action.url}" class="quiet" style="color:#5b6270">${letter.action.url}</a></p>`
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${letter.subject}</title>
<style>${raw(darkSheet)}</style>
</head>
<body style="margin:0;padding:0;background:#f3f4f7">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${letter.preheader}${raw('&#8203;&nbsp;'.repeat(60))}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f7">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;overflow-wrap:anywhere">
<tr><td class="ink" style="padding:0 4px 16px;color:#16181d;${raw(font)};font-size:16px;font-weight:700">${siteName}</td></tr>
<tr><td class="sheet" style="padding:32px;border:1px solid #e6e8ec;border-top:4px solid ${accentColor};border-radius:10px;background:#ffffff">
<h1 style="margin:0 0 16px;color:#16181d;${raw(font)};font-size:22px;line-height:1.3">${letter.heading}</h1>
${letter.paragraphs.map((text) => html`<p style="margin:0 0 12px;color:#16181d;${raw(font)};font-size:16px;line-height:1.55">${text}</p>\n`)}${table}${button}
</td></tr>
<tr><td style="padding:20px 4px 0"><p class="quiet" style="margin:0;color:#5b6270;${raw(font)};font-size:13px;line-height:1.5">${letter.closing}</p></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`)
}

/** The same for those who read text. */
export function renderLetterText(letter: LetterText, { siteName }: Sender): string {
  const widest = Math.max(0, ...letter.facts.map(([label]) => label.length))
  const facts = letter.facts.map(([label, value]) => `  ${`${label}:`.padEnd(widest + 2)} ${value}`)
  return [
    letter.heading,
    ...letter.paragraphs,
    ...(facts.length > 0 ? [facts.join('\n')] : []),
    ...(letter.action === null ? [] : [`${letter.action.label}:\n${letter.action.url}`]),
    `--\n${siteName}\n${letter.closing}`,
  ]
    .join('\n\n')
    .concat('\n')
}
