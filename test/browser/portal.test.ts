/** Runs the walks through the portal where there is a browser, and says so where there is none. */
import { test } from 'node:test'
import { missingBrowser } from './browser.ts'

const missing = missingBrowser()
if (missing === undefined) await import('./portal-walks.ts')
else test('the portal in a real browser', { skip: missing }, () => {})
