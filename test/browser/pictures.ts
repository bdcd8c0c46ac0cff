/** Takes pictures of every page, to be looked at: `bin/node test/browser/pictures.ts [directory]`; those in docs/pictures are some of them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { linkOf, openWorld } from '../portal/people.ts'
import { openBrowser, openWindow } from './browser.ts'
import { pagesOf } from './pages.ts'

const directory = process.argv[2] ?? join(import.meta.dirname, '../../docs/pictures')
/** What documents show. */
const kept = new Set(['overview-light-desktop', 'subscription-dark-phone', 'card-light-phone', 'history-dark-desktop'])

const endings: (() => unknown)[] = []
const world = await openWorld({ after: (end: unknown) => void endings.push(end as () => unknown) })
const link = await linkOf(world, world.customerId)
const browser = await openBrowser()
mkdirSync(directory, { recursive: true })
for (const size of ['desktop', 'phone'] as const) {
  for (const scheme of ['light', 'dark'] as const) {
    const { context, page } = await openWindow(browser, { size, scheme })
    await page.goto(link)
    for (const [name, url] of pagesOf(world)) {
      const picture = `${name}-${scheme}-${size}`
      if (process.argv[2] === undefined && !kept.has(picture)) continue
      await page.goto(url)
      await page.screenshot({ path: join(directory, `${picture}.png`), fullPage: true })
    }
    await context.close()
  }
}
await browser.close()
for (const end of endings.toReversed()) await end()
process.exit()
