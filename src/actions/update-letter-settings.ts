/** Changes which letters a site sends to its customers, and whom they are from. */
import { findLetterSettings, type LetterSettings, saveLetterSettings } from '../store/letters.ts'
import { lockSite } from '../store/sites.ts'
import { type App, nowOf, write } from './app.ts'

/** Gives the site's id. */
export const updateLetterSettings = (
  app: App,
  siteId: number,
  decide: (before: LetterSettings) => LetterSettings,
): Promise<number> =>
  write(app, async (tx) => {
    const site = await lockSite(tx, siteId)
    await saveLetterSettings(tx, siteId, decide(await findLetterSettings(tx, siteId)), nowOf(app, site!))
    return siteId
  })
