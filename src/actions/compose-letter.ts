/** Makes what is sent of a letter: who gets it, what it says, and the papers that go with it. */
import type { CustomerLetterKind } from '../billing/letter.ts'
import { isAdmitted } from '../billing/management-link.ts'
import type { Attachment } from '../mail/post.ts'
import { findCustomer } from '../store/customers.ts'
import type { LetterFacts } from '../store/letter-facts.ts'
import type { LetterSettings, MerchantLetter } from '../store/letters.ts'
import { findRevocation } from '../store/portal-sessions.ts'
import type { SiteRow } from '../store/sites.ts'
import { type LetterText, recipientOf, type Sender, writeLetter } from '../views/letter.ts'
import { writeMerchantLetter } from '../views/merchant-letter.ts'
import type { App } from './app.ts'
import { letterUrl } from './fetch-management-link.ts'
import { printReceipt } from './print-receipt.ts'

/** Whose letters a round sends. `publicUrl` is where customers reach the service, where the site has not said so. */
export type House = { site: SiteRow; settings: LetterSettings; sender: Sender; publicUrl: string }

export type Composed = {
  to: { name: string; address: string }
  cc: string[]
  text: LetterText
  /** Printed when the letter is sent; throws as the renderer does when it has too much to do. */
  attachments: () => Promise<Attachment[]>
}

/** Why nothing is sent, now or later. */
export type Dropped = { dropped: string }

export async function composeLetter(app: App, house: House, facts: LetterFacts): Promise<Composed | Dropped> {
  if (billed.includes(facts.letter.kind) && facts.subscription?.receivesInvoiceEmails === false) {
    return { dropped: 'The subscription is set to receive no bills by email.' }
  }
  const text = writeLetter(facts, house.sender, await linkOf(app, house, facts))
  if (text === undefined) return { dropped: 'What it was about is no longer so.' }
  return {
    to: recipientOf(facts),
    cc: ccOf(facts, facts.letter.kind),
    text,
    attachments: () => printReceipt(app, house.site, facts),
  }
}

export function composeMerchantLetter({ site, settings, sender }: House, letter: MerchantLetter): Composed | Dropped {
  const address = settings.merchantEmail ?? sender.supportEmail
  if (address === null) return { dropped: 'The site has no address: give it a merchant_email in the letter settings.' }
  return {
    to: { name: sender.siteName, address },
    cc: [],
    text: writeMerchantLetter(letter, site.subdomain),
    attachments: async () => [],
  }
}

/** Copies go where the customer wants bills to go; what lets somebody in goes to the customer alone. */
const billed: readonly CustomerLetterKind[] = ['receipt']
const ccOf = ({ customer }: LetterFacts, kind: CustomerLetterKind): string[] =>
  billed.includes(kind)
    ? (customer.ccEmails ?? '')
        .split(',')
        .map((address) => address.trim())
        .filter((address) => /^[^\s@<>]+@[^\s@<>]+$/.test(address))
    : []

/** Null where the portal was closed to the customer. */
const linkOf = (app: App, { site, publicUrl: address }: House, { letter }: LetterFacts): Promise<string | null> =>
  app.db.transaction(async (tx) => {
    const { customerId, createdAt: at } = letter
    const purpose = letter.kind === 'invitation' ? 'invitation' : 'letter'
    const [customer, wasRevoked] = await Promise.all([
      findCustomer(tx, site.id, customerId),
      findRevocation(tx, site.id, customerId),
    ])
    const isOpen = isAdmitted({ purpose, at }, { enabledAt: customer?.portalCustomerCreatedAt ?? null, wasRevoked })
    return isOpen ? letterUrl(app, tx, site.id, { purpose, customerId, at, address }) : null
  })
