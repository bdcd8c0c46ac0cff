/** Sends the letters that are due: claimed first, sent with no transaction open, settled one by one. */
import type { LetterKind } from '../billing/letter.ts'
import { nextLetterAttemptAt } from '../billing/letter.ts'
import { isAdmitted } from '../billing/management-link.ts'
import { LetterRefused, type Post } from '../mail/post.ts'
import { findCustomer } from '../store/customers.ts'
import { type LetterFacts, listLetterFacts } from '../store/letter-facts.ts'
import {
  claimLetters,
  findLetterSettings,
  type LetterResult,
  type LetterSettings,
  listSitesWithDueLetters,
  settleLetters,
} from '../store/letters.ts'
import { findRevocation } from '../store/portal-sessions.ts'
import { findPortalSettings } from '../store/portal-settings.ts'
import { findSite, type SiteRow } from '../store/sites.ts'
import { recipientOf, type Sender, writeLetter } from '../views/letter.ts'
import { renderLetterHtml, renderLetterText } from '../views/letter-page.ts'
import { type App, nowOf } from './app.ts'
import { letterUrl } from './fetch-management-link.ts'
import { printReceipt } from './print-receipt.ts'

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
  const [site, settings, look, found] = await Promise.all([
    findSite(app.db, siteId),
    findLetterSettings(app.db, siteId),
    findPortalSettings(app.db, siteId),
    listLetterFacts(app.db, siteId, ids),
  ])
  if (site === undefined) return 0
  const sender: Sender = {
    siteName: look.logoText ?? site.name,
    currency: site.currency,
    timeZone: site.timeZone,
    supportEmail: look.supportEmail,
    accentColor: look.accentColor,
  }
  const known = new Map(found.map((facts) => [facts.letter.id, facts]))
  for (const id of ids) {
    const facts = known.get(id)
    const result =
      facts === undefined
        ? over(id, 'The customer was deleted.')
        : await sendOne(app, office, { site, settings, sender, facts })
    await settleLetters(app.db, siteId, [result])
    if (facts !== undefined) {
      app.metrics.letterOver({ kind: facts.letter.kind, outcome: result.error === null ? 'sent' : 'failed' })
    }
  }
  return ids.length
}

type Sending = { site: SiteRow; settings: LetterSettings; sender: Sender; facts: LetterFacts }

async function sendOne(
  app: App,
  office: PostOffice,
  { site, settings, sender, facts }: Sending,
): Promise<LetterResult> {
  const { letter } = facts
  const to = recipientOf(facts)
  const link = await linkOf(app, office, site, facts)
  const text = writeLetter(facts, sender, link)
  if (text === undefined) return over(letter.id, 'What it was about is no longer so.')
  try {
    const from = settings.fromEmail ?? office.mailFrom
    const attachments = await printReceipt(app, site, facts)
    await office.post.send({
      messageId: `<letter-${site.id}-${letter.id}@${from.split('@')[1]}>`,
      from: { name: settings.fromName ?? sender.siteName, address: from },
      replyTo: settings.replyTo ?? sender.supportEmail,
      to,
      cc: ccOf(facts, letter.kind),
      subject: text.subject,
      text: renderLetterText(text, sender),
      html: renderLetterHtml(text, sender),
      date: letter.createdAt,
      attachments,
      fileName: fileNameOf(facts),
    })
  } catch (error) {
    return failed(app, facts, error)
  }
  const [recipient, sentAt] = [to.address, nowOf(app, site)]
  return { id: letter.id, recipient, subject: text.subject, sentAt, error: null, nextAttemptAt: null }
}

/** What a mail server says may quote the letter, so only the kind of the trouble is kept. */
function failed(app: App, { letter }: LetterFacts, error: unknown): LetterResult {
  const refused = error instanceof LetterRefused
  const code = (error as { code?: unknown }).code
  const message = refused ? error.message : `It could not be sent${typeof code === 'string' ? ` (${code})` : ''}.`
  app.log.warn({ siteId: letter.siteId, letterId: letter.id, kind: letter.kind, code }, 'a letter could not be sent')
  return {
    ...over(letter.id, message),
    nextAttemptAt: refused ? null : nextLetterAttemptAt(letter.attempts, app.clock.now()),
  }
}

const over = (id: number, error: string): LetterResult => ({
  id,
  recipient: null,
  subject: null,
  sentAt: null,
  error,
  nextAttemptAt: null,
})

/** Copies go where the customer wants bills to go; what lets somebody in goes to the customer alone. */
const billed: readonly LetterKind[] = ['receipt']
const ccOf = ({ customer }: LetterFacts, kind: LetterKind): string[] =>
  billed.includes(kind)
    ? (customer.ccEmails ?? '')
        .split(',')
        .map((address) => address.trim())
        .filter((address) => /^[^\s@<>]+@[^\s@<>]+$/.test(address))
    : []

/** Null where the portal was closed to the customer. */
const linkOf = (app: App, office: PostOffice, site: SiteRow, { letter }: LetterFacts): Promise<string | null> =>
  app.db.transaction(async (tx) => {
    const { customerId, createdAt: at } = letter
    const purpose = letter.kind === 'invitation' ? 'invitation' : 'letter'
    const [customer, wasRevoked] = await Promise.all([
      findCustomer(tx, site.id, customerId),
      findRevocation(tx, site.id, customerId),
    ])
    const isOpen = isAdmitted({ purpose, at }, { enabledAt: customer?.portalCustomerCreatedAt ?? null, wasRevoked })
    return isOpen ? letterUrl(app, tx, site.id, { purpose, customerId, at, address: office.publicUrl }) : null
  })

/** Sorts by time, and names one letter for good. */
const fileNameOf = ({ letter }: LetterFacts): string =>
  `${letter.createdAt.toString().replace(/[-:]/g, '').slice(0, 15)}-${letter.siteId}-${letter.id}-${letter.kind.replaceAll('_', '-')}`
