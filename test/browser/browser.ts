/** One real browser for all tests of a file, and the pages of it as the tests want them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** A sentence where there is no browser: what needs none is tested all the same, on a machine that has only Node. */
export const missingBrowser = (): string | undefined =>
  existsSync(executablePath)
    ? undefined
    : `There is no browser at ${executablePath}. On Debian, "apt-get install chromium" puts it there; elsewhere, set CHROMIUM to where it is.`

/** Debian's package; nothing is downloaded for a test. */
export async function openBrowser(): Promise<Browser> {
  assert.equal(missingBrowser(), undefined)
  // Chromium's own sandbox does not run as root, which build machines are; what is opened here are our own pages.
  const sandboxed = process.getuid?.() !== 0
  return chromium.launch({ executablePath, args: sandboxed ? [] : ['--no-sandbox'], chromiumSandbox: sandboxed })
}

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1100, height: 800 } } as const

export type Look = { size: keyof typeof sizes; scheme?: 'light' | 'dark'; scripts?: boolean; locale?: string }

export type Window = { context: BrowserContext; page: Page; complaints: string[] }

/** A window of its own, without cookies. `complaints` gathers what the browser blames our pages for. */
export async function openWindow(browser: Browser, look: Look): Promise<Window> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: sizes[look.size],
    colorScheme: look.scheme ?? 'light',
    javaScriptEnabled: look.scripts ?? true,
    locale: look.locale ?? 'en-US',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A refused form is answered by a page with a status of its own; the browser notes that too.
    if (!/the server responded with a status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`)
  })
  return { context, page, complaints }
}

/** What keeps somebody from using the page, by the rules of WCAG 2.2 AA and good practice; or by some of them. */
export async function listBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const some = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }
  const options = { ...some, resultTypes: ['violations'] }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Whether something stands wider than the window, so that a phone has to be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
