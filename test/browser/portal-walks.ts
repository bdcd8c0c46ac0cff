/** The portal in a real browser: without scripts, on a phone and on a desk, in light and dark, for eyes and for screen readers. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { linkOf, openWorld } from '../portal/people.ts'
import { isTooWide, type Look, listBarriers, openBrowser, openWindow } from './browser.ts'
import { pagesOf } from './pages.ts'

const [browser, world] = await Promise.all([openBrowser(), openWorld()])
after(() => browser.close())
const link = await linkOf(world, world.customerId)
const at = (id: number): string => `https://localhost:${world.port}/account/subscriptions/${id}`

const stateOf = async (id: number) => (await world.ask(`GET /subscriptions/${id}.json`)).json.subscription

/** Does something in a window that came in by the link; the browser must have nothing to complain of. */
async function visit(look: Look, work: (page: Page) => Promise<void>): Promise<void> {
  const { context, page, complaints } = await openWindow(browser, look)
  await page.goto(link)
  assert.equal(page.url(), `https://localhost:${world.port}/account`, 'the link has left the address bar')
  await work(page)
  assert.deepEqual(complaints, [])
  await context.close()
}

/** Fills in the form and saves it. */
async function enterCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Month').fill('11')
  await page.getByLabel('Year').fill('32')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
}

const status = (page: Page): Promise<string> => page.getByRole('status').innerText()

/** What colours and sizes can do to a page that is free of barriers otherwise. */
const ofLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size', 'meta-viewport']

/** Between them these show all there is to see. */
const everyColor = new Set(['overview', 'subscription', 'card', 'cancel', 'history'])

const looks: (Look & { rules?: string[] })[] = [
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark', rules: ofLooks },
]
describe('every page is free of barriers and fits its window', { concurrency: true }, () => {
  for (const look of looks) {
    test(`${look.scheme}, ${look.size}`, async () => {
      await visit(look, async (page) => {
        for (const [name, url] of pagesOf(world)) {
          await page.goto(url)
          const isSeen = look.rules === undefined || everyColor.has(name)
          if (isSeen) assert.deepEqual(await listBarriers(page, look.rules), [], name)
          assert.equal(await isTooWide(page), false, `${name} is too wide`)
          assert.equal(await page.locator('h1').count(), 1, `${name} has one heading above all`)
        }
      })
    })
  }
})

test('on a phone without scripts, a declining card is told to be declined, and a good one pays what is outstanding', async () => {
  await visit({ size: 'phone', scripts: false }, async (page) => {
    await page.getByRole('link', { name: 'Use another card' }).click()
    await enterCard(page, '4000000000000002')
    assert.match(await page.getByRole('alert').innerText(), /payment of \$50\.00 was declined/)
    assert.equal(await page.getByLabel('Card number').inputValue(), '', 'the number is gone')
    assert.equal((await stateOf(world.overdue)).state, 'past_due')
    await enterCard(page, '5424 0000 0000 0015')
    assert.match(await status(page), /outstanding amount was paid/)
    assert.match(await page.locator('main').innerText(), /Mastercard ending in 0015/)
    assert.equal((await stateOf(world.overdue)).state, 'active')
  })
})

test('on a phone without scripts, a subscription is canceled at the end of its period, and kept after all', async () => {
  await visit({ size: 'phone', scripts: false }, async (page) => {
    await page.goto(at(world.active))
    await page.getByRole('link', { name: 'Cancel subscription' }).click()
    await page.getByLabel('when the period is over').check()
    await page.getByLabel('Why are you leaving?').fill('Too many stars')
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    assert.match(await page.locator('main').innerText(), /This subscription ends on March 15, 2027/)
    assert.equal((await stateOf(world.active)).cancel_at_end_of_period, true)
    await page.getByRole('button', { name: 'Keep my subscription' }).click()
    assert.match(await status(page), /goes on as before/)
    assert.equal((await stateOf(world.active)).cancel_at_end_of_period, false)
  })
})

test('at a desk, with the keyboard alone, what is outstanding is paid', async () => {
  await world.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { decline_rate: 1 } } })
  await world.moveClock('2027-03-15T12:00:00Z')
  await world.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { decline_rate: 0 } } })
  assert.equal((await stateOf(world.active)).state, 'past_due')
  await visit({ size: 'desktop' }, async (page) => {
    await page.goto(at(world.active))
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Enter')
    for (let steps = 0; steps < 5; steps++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === 'Pay $50.00 now') break
    }
    await Promise.all([page.waitForURL(/done=paid/), page.keyboard.press('Enter')])
    assert.match(await status(page), /outstanding amount was paid/)
    assert.equal((await stateOf(world.active)).state, 'active')
  })
})

test('a statement is downloaded as a PDF', async () => {
  await visit({ size: 'desktop', scripts: false }, async (page) => {
    await page.getByRole('link', { name: 'Billing history' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('link', { name: /^PDF of/ })
        .first()
        .click(),
    ])
    assert.match(download.suggestedFilename(), /^statement-\d+\.pdf$/)
    assert.match((await readFile(await download.path())).subarray(0, 8).toString('latin1'), /^%PDF-1\./)
  })
})

test('logging out ends the session, also for the way back', async () => {
  await visit({ size: 'desktop', scripts: false }, async (page) => {
    await page.getByRole('button', { name: 'Log out' }).click()
    assert.match(await page.locator('main').innerText(), /You are logged out/)
    await page.goto(`https://localhost:${world.port}/account`)
    assert.match(await page.locator('main').innerText(), /Please open your link again/)
    assert.deepEqual(await page.context().cookies(), [])
  })
})
