/** Sends the letters that are due: claimed first, sent with no transaction open, settled one by one. */
import { nextLetterAttemptAt } from '../billing/letter.ts'
import { isOfOneRow } from '../host/database-trouble.ts'
import { LetterRefused, type Post } from '../mail/post.ts'
import { type LetterFacts, listLetterFacts } from '../store/letter-facts.ts'
import {
  claimLetters,
  findLetterSettings,
  type Letter,
  type LetterResult,
  listMerchantLetters,
  listSitesWithDueLetters,
  settleLetter,
} from '../store/letters.ts'
import { findPortalSettings } from '../store/portal-settings.ts'
import { findSite } from '../store/sites.ts'
import { renderLetterHtml, renderLetterText } from '../views/letter-page.ts'
import { type App, nowOf } from './app.ts'
import { type Composed, composeLetter, composeMerchantLetter, type Dropped, type House } from './compose-letter.ts'

export type PostOffice = {
  post: Post
  /** Who letters are from where a site has not said so. */
  mailFrom: string
  /** Where customers reach the service, where a site has not said so. */
  publicUrl: string
}

/** Of one site in one round: a busy site never holds up the others for longer. */
const lettersPerRound = 20
/** Longer than the slowest mail server is waited for, for all letters of a round. */
const leaseMinutes = 15

/** Gives how many letters were sent or given up. A crash in between sends the letters that were under way once more. */
export async function sendLetters(app: App, office: PostOffice): Promise<number> {
  let done = 0
  for (const siteId of await listSitesWithDueLetters(app.db, app.clock.now())) {
    done += await sendLettersOf(app, office, siteId).catch((error: unknown) => {
      app.log.error({ err: error, siteId }, 'letters of a site could not be sent')
      return 0
    })
  }
  return done
}

async function sendLettersOf(app: App, office: PostOffice, siteId: number): Promise<number> {
  const wall = app.clock.now()
  const leaseUntil = wall.add({ minutes: leaseMinutes })
  const ids = await claimLetters(app.db, siteId, { wall, leaseUntil, limit: lettersPerRound })
  if (ids.length === 0) return 0
  const [house, { toCustomers, unreadable }, toMerchant] = await Promise.all([
    findHouse(app, office, siteId),
    listReadable(app, siteId, ids),
    listMerchantLetters(app.db, siteId, ids),
  ])
  if (house === undefined) return 0
  const found = [
    ...toCustomers.map((facts) => ({ letter: facts.letter, compose: () => composeLetter(app, house, facts) })),
    ...toMerchant.map((letter) => ({ letter, compose: () => composeMerchantLetter(house, letter) })),
  ]
  const byId = new Map(found.map((one) => [one.letter.id, one]))
  for (const id of ids) {
    const one = byId.get(id)
    const result = one
      ? await composeAndSend(app, office, house, one)
      : over(id, unreadable.includes(id) ? 'What it tells of could not be read.' : 'The customer was deleted.')
    await settleLetter(app.db, siteId, result)
  }
  return ids.length
}

/** Where the facts of one letter cannot be read, those of the others are: each is looked up alone, and that one is given up. */
async function listReadable(
  app: App,
  siteId: number,
  ids: readonly number[],
): Promise<{ toCustomers: LetterFacts[]; unreadable: readonly number[] }> {
  try {
    return { toCustomers: await listLetterFacts(app.db, siteId, ids), unreadable: [] }
  } catch (error) {
    if (!isOfOneRow(error)) throw error
    if (ids.length === 1) {
      app.log.error({ err: error, siteId, letterId: ids[0] }, 'what a letter tells of could not be read')
      return { toCustomers: [], unreadable: ids }
    }
    const each = await Promise.all(ids.map((id) => listReadable(app, siteId, [id])))
    return {
      toCustomers: each.flatMap(({ toCustomers }) => toCustomers),
      unreadable: each.flatMap(({ unreadable }) => unreadable),
    }
  }
}

type Found = { letter: Letter; compose: () => Composed | Dropped | Promise<Composed | Dropped> }

/** What goes wrong with one letter is tried again later, and never keeps the others waiting. */
async function composeAndSend(app: App, office: PostOffice, house: House, { letter, compose }: Found) {
  let composed: Composed | Dropped
  try {
    composed = await compose()
  } catch (error) {
    if (!isOfOneRow(error)) throw error
    app.log.error({ err: error, siteId: letter.siteId, letterId: letter.id }, 'a letter could not be written')
    return failed(app, letter, error)
  }
  return sendOne(app, office, house, letter, composed)
}

async function findHouse(app: App, office: PostOffice, siteId: number): Promise<House | undefined> {
  const [site, settings, look] = await Promise.all([
    findSite(app.db, siteId),
    findLetterSettings(app.db, siteId),
    findPortalSettings(app.db, siteId),
  ])
  if (site === undefined) return undefined
  const sender = {
    siteName: look.logoText ?? site.name,
    currency: site.currency,
    timeZone: site.timeZone,
    supportEmail: look.supportEmail,
    accentColor: look.accentColor,
  }
  return { site, settings, sender, publicUrl: office.publicUrl }
}

async function sendOne(
  app: App,
  office: PostOffice,
  { site, settings, sender }: House,
  letter: Letter,
  composed: Composed | Dropped,
): Promise<LetterResult> {
  if ('dropped' in composed) return over(letter.id, composed.dropped)
  const { to, cc, text, attachments } = composed
  try {
    const from = settings.fromEmail ?? office.mailFrom
    await office.post.send({
      messageId: `<letter-${site.id}-${letter.id}@${from.split('@')[1]}>`,
      from: { name: settings.fromName ?? sender.siteName, address: from },
      replyTo: settings.replyTo ?? sender.supportEmail,
      to,
      cc,
      subject: text.subject,
      text: renderLetterText(text, sender),
      html: renderLetterHtml(text, sender),
      date: letter.createdAt,
      attachments: await attachments(),
      fileName: fileNameOf(letter),
    })
  } catch (error) {
    return failed(app, letter, error)
  }
  app.metrics.letterOver({ kind: letter.kind, outcome: 'sent' })
  const [recipient, sentAt] = [to.address, nowOf(app, site)]
  return { id: letter.id, recipient, subject: text.subject, sentAt, error: null, nextAttemptAt: null }
}

/** What a mail server says may quote the letter, so only the kind of the trouble is kept. */
function failed(app: App, { id, siteId, kind, attempts }: Letter, error: unknown): LetterResult {
  const refused = error instanceof LetterRefused
  const code = (error as { code?: unknown }).code
  const message = refused ? error.message : `It could not be sent${typeof code === 'string' ? ` (${code})` : ''}.`
  app.metrics.letterOver({ kind, outcome: 'failed' })
  app.log.warn({ siteId, letterId: id, kind, code }, 'a letter could not be sent')
  return { ...over(id, message), nextAttemptAt: refused ? null : nextLetterAttemptAt(attempts, app.clock.now()) }
}

const over = (id: number, error: string): LetterResult => ({
  id,
  recipient: null,
  subject: null,
  sentAt: null,
  error,
  nextAttemptAt: null,
})

/** Sorts by time, and names one letter for good. */
const fileNameOf = ({ createdAt, siteId, id, kind }: Letter): string =>
  `${createdAt.toString().replace(/[-:]/g, '').slice(0, 15)}-${siteId}-${id}-${kind.replaceAll('_', '-')}`
