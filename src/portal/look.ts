/** The files that pages refer to: one style sheet for all, and for each accent a sheet and an icon made from the colour alone. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Channels, channelsOf, luminance } from '../views/color.ts'
import type { Page } from '../wire/page.ts'

const sheet = readFileSync(join(import.meta.dirname, 'portal.css'), 'utf8')
const sheetName = `portal-${createHash('sha256').update(sheet).digest('hex').slice(0, 12)}.css`

const root = '/account/assets'

/** What stands in the head of each page. Names change with what is in the files, so browsers may keep them for good. */
export const lookOf = (accent: string) => ({
  sheet: `${root}/${sheetName}`,
  accentSheet: `${root}/accent-${accent.slice(1)}.css`,
  icon: `${root}/icon-${accent.slice(1)}.svg`,
})

/** Undefined for a name that no page refers to. */
export function findAsset(name: string): Page | undefined {
  if (name === sheetName) return asset('text/css; charset=utf-8', sheet)
  const [, kind, hex] = /^(accent|icon)-([0-9a-f]{6})\.(?:css|svg)$/.exec(name) ?? []
  if (hex === undefined) return undefined
  const color = channelsOf(`#${hex}`)
  return kind === 'accent' ? asset('text/css; charset=utf-8', accentSheet(color)) : asset('image/svg+xml', icon(color))
}

const asset = (type: string, bytes: string): Page => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  content: { kind: 'file', type, bytes },
})

const black: Channels = [0, 0, 0]
const white: Channels = [255, 255, 255]
const ink: Channels = [17, 21, 28]
/** The surfaces of `portal.css` that accents stand on, the less favourable one of each scheme. */
const lightSurface: Channels = [243, 244, 247]
const darkSurface: Channels = [29, 34, 43]

/** What readers with weak eyes need between text and what it stands on; a little more, for rounding. */
const contrastMin = 4.6

const hexOf = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** From 1 (the same) to 21 (black on white). */
function contrast(one: Channels, other: Channels): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const mixed = (from: Channels, to: Channels, share: number): Channels => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

const mixingSteps = 20

/** As much of black or white mixed in as it takes to be read on the surface. */
function legible(color: Channels, surface: Channels, towards: Channels): Channels {
  for (let step = 0; step < mixingSteps; step++) {
    const candidate = mixed(color, towards, step / mixingSteps)
    if (contrast(candidate, surface) >= contrastMin) return candidate
  }
  return towards
}

function accentSheet(color: Channels): string {
  const text = contrast(white, color) >= contrastMin ? white : contrast(ink, color) >= contrastMin ? ink : black
  const button = `--accent: ${hexOf(color)}; --on-accent: ${hexOf(text)};`
  const light = `--accent-text: ${hexOf(legible(color, lightSurface, black))};`
  const dark = `--accent-text: ${hexOf(legible(color, darkSurface, white))};`
  return `:root { ${button} ${light} }\n@media (prefers-color-scheme: dark) { :root { ${dark} } }\n`
}

const icon = (color: Channels): string => {
  const mark = hexOf(contrast(white, color) >= 3 ? white : ink)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${hexOf(color)}"/><path d="M9 10h14M9 16h14M9 22h8" stroke="${mark}" stroke-width="3" stroke-linecap="round"/></svg>\n`
}
