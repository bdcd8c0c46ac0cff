/** Sends the letters that are due: claimed in sets, sent many at a time with no transaction open, each on record as it ends. */
import { nextLetterAttemptAt } from '../billing/letter.ts'
import { Turns } from '../gateway/turns.ts'
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

/** Of one site in one round. */
const lettersPerRound = 100
/** Letters that one process hands to its mail server at the same time, of all sites together. */
const sendingMax = 16
/** Longer than the slowest mail server is waited for, for all letters of a round. */
const leaseMinutes = 15

/** Of everybody who hands letters to it. */
const turns = new WeakMap<Post, Turns>()

function turnsOf(post: Post): Turns {
  const known = turns.get(post) ?? new Turns(sendingMax)
  turns.set(post, known)
  return known
}

/**
 * One round of every site that has letters due, all sites at once. Gives how many letters were sent or given up. A crash in between
 * sends the letters that were under way once more.
 */
export async function sendLetters(app: App, office: PostOffice): Promise<number> {
  const sites = await listSitesWithDueLetters(app.db, app.clock.now())
  const done = await Promise.all(
    sites.map((siteId) =>
      sendLettersOf(app, office, siteId).catch((error: unknown) => {
        app.log.error({ err: error, siteId }, 'letters of a site could not be sent')
        return 0
      }),
    ),
  )
  return done.reduce((sum, each) => sum + each, 0)
}

/** One round of a site. What becomes of each letter is on record as soon as it is known. */
export async function sendLettersOf(app: App, office: PostOffice, siteId: number): Promise<number> {
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
  const sendAndSettle = async (id: number): Promise<void> => {
    const one = byId.get(id)
    const result = one
      ? await turnsOf(office.post).take(() => composeAndSend(app, office, house, one), siteId)
      : over(id, unreadable.includes(id) ? 'What it tells of could not be read.' : 'The customer was deleted.')
    await settleLetter(app.db, siteId, result)
  }
  // Those to one customer go out in the order in which they were written.
  const lines = Map.groupBy(ids, (id) => byId.get(id)?.letter.customerId ?? null)
  const ends = await Promise.allSettled([...lines.values()].map((line) => inOrder(line, sendAndSettle)))
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken !== undefined) throw broken.reason
  return ids.length
}

async function inOrder<One>(line: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  for (const one of line) await work(one)
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
