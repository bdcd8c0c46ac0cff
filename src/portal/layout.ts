/** The frame of every page: head, navigation, what has just happened, and the foot. */
import { html } from 'hono/html'
import { defaultPortalSettings, type PortalSettings } from '../billing/portal-settings.ts'
import type { Page } from '../wire/page.ts'
import { lookOf } from './look.ts'
import type { Markup } from './words.ts'

/** What stands around a page: whose portal it is, and whether somebody is logged in. */
export type Frame = { siteName: string | null; settings: PortalSettings; isInside: boolean }

/** Of pages that are shown to nobody in particular: not even the site is told. */
export const strangersFrame: Frame = { siteName: null, settings: defaultPortalSettings, isInside: false }

export type Shown = {
  title: string
  content: Markup
  /** The address of the place in the navigation that the page belongs to. */
  place?: string
  /** What went well just now. */
  notice?: string | undefined
  /** What went wrong, a sentence each; stands before everything else. */
  problems?: readonly string[]
}

const places = [
  ['/account', 'Subscriptions'],
  ['/account/history', 'Billing history'],
  ['/account/details', 'Your details'],
] as const

const navigation = (here: string | undefined): Markup => html`<nav aria-label="Account">
        ${places.map(
          ([href, words]) =>
            html`<a href="${href}"${here === href ? html` aria-current="page"` : ''}>${words}</a>
        `,
        )}</nav>
      <form method="post" action="/account/log_out"><button class="plain" type="submit">Log out</button></form>`

const notices = ({ notice, problems = [] }: Pick<Shown, 'notice' | 'problems'>): Markup =>
  html`${
    problems.length > 0
      ? html`<div class="notice bad" role="alert">
      <h2>There is a problem</h2>
      <ul>${problems.map((sentence) => html`<li>${sentence}</li>`)}</ul>
    </div>`
      : ''
  }${notice === undefined ? '' : html`<p class="notice good" role="status">${notice}</p>`}`

const foot = ({ supportEmail, terms }: PortalSettings): Markup =>
  supportEmail === null && terms === null
    ? html``
    : html`<footer><div class="wrap">
      ${supportEmail === null ? '' : html`<p>Questions? Write to <a href="mailto:${supportEmail}">${supportEmail}</a>.</p>`}
      ${terms === null ? '' : html`<p class="terms">${terms}</p>`}
    </div></footer>`

/** The whole document. A problem makes the title begin with a word that a screen reader reads first. */
const document = ({ siteName, settings, isInside }: Frame, shown: Shown): Markup => {
  const look = lookOf(settings.accentColor)
  const brand = settings.logoText ?? siteName
  const isWrong = (shown.problems ?? []).length > 0
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${isWrong ? 'Problem: ' : ''}${shown.title}${brand === null ? '' : html` · ${brand}`}</title>
  <link rel="stylesheet" href="${look.sheet}">
  <link rel="stylesheet" href="${look.accentSheet}">
  <link rel="icon" type="image/svg+xml" href="${look.icon}">
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header><div class="wrap">
      ${brand === null ? html`<span class="brand">Your account</span>` : html`<span class="brand">${brand}</span>`}
      ${isInside ? navigation(shown.place) : ''}
  </div></header>
  <main id="main" tabindex="-1"><div class="wrap">
    ${notices(shown)}
    ${shown.content}
  </div></main>
  ${foot(settings)}
</body>
</html>
`
}

export const page = async (frame: Frame, shown: Shown, status = 200): Promise<Page> => ({
  status,
  content: { kind: 'html', text: String(await document(frame, shown)) },
})
