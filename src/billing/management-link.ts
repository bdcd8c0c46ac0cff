/** How long a link into the portal is good, how often it is given out, and when there is a new one. */
import { Refusal } from './refusal.ts'

const linkFetchesMax = 15
const newLinkAfterDays = 15
const linkValidDays = 65
const invitationValidHours = 48
/** A key signs for this long; what it signed last is good for another 65 days. */
const keySignsDays = 30

/** The newest link of a customer, by the site's clock. */
export type ManagementLink = {
  siteId: number
  customerId: number
  keyId: number
  /** Where the service was asked for it: `https://billing.example.com`. */
  baseUrl: string
  fetchCount: number
  createdAt: Temporal.Instant
}

/** The link that the merchant passes on, the one in the letter that invites, and those in other letters. */
const linkPurposes = ['management', 'invitation', 'letter'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** What a link says of itself; its signature covers all of it. */
export type SignedLink = { purpose: LinkPurpose; keyId: number; customerId: number; at: Temporal.Instant }

const addDays = (at: Temporal.Instant, days: number): Temporal.Instant => at.add({ hours: 24 * days })
const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0

export const newLinkAvailableAt = ({ createdAt }: ManagementLink): Temporal.Instant =>
  addDays(createdAt, newLinkAfterDays)

export const expiresAt = ({ createdAt }: ManagementLink): Temporal.Instant => addDays(createdAt, linkValidDays)

/** From this moment on the link leads nowhere. */
export const linkEndsAt = ({ purpose, at }: Pick<SignedLink, 'purpose' | 'at'>): Temporal.Instant =>
  purpose === 'invitation' ? at.add({ hours: invitationValidHours }) : addDays(at, linkValidDays)

/** Since when the portal is open to a customer by the merchant's word, and whether it was ever closed. */
export type PortalAccess = { enabledAt: Temporal.Instant | null; wasRevoked: boolean }

/**
 * Whether a link of that moment lets its customer in. Letters bring their own key along until the merchant closes the portal; after
 * that nothing opens it that is older than its next opening.
 */
export function isAdmitted({ purpose, at }: Pick<SignedLink, 'purpose' | 'at'>, access: PortalAccess): boolean {
  const { enabledAt, wasRevoked } = access
  if (enabledAt === null) return purpose === 'letter' && !wasRevoked
  return !(wasRevoked || purpose !== 'letter') || !isBefore(at, enabledAt)
}

export const keySignsUntil = (createdAt: Temporal.Instant): Temporal.Instant => addDays(createdAt, keySignsDays)
/** After this long nothing that a key signed is good any more. */
export const keyKeptDays = keySignsDays + linkValidDays

const tooManyFetches = "Too many requests for this customer's management link"

/** The link as it is after one more fetch, or undefined when it is time for a new one. Refuses the sixteenth fetch. */
export function fetchAgain(link: ManagementLink | undefined, now: Temporal.Instant): ManagementLink | undefined {
  if (link === undefined || !isBefore(now, newLinkAvailableAt(link))) return undefined
  if (link.fetchCount >= linkFetchesMax) throw new Refusal('link_exhausted', [tooManyFetches])
  return { ...link, fetchCount: link.fetchCount + 1 }
}

/** The text that is signed: no two links have the same. */
export const signedText = ({ purpose, keyId, customerId, at }: SignedLink): string =>
  `kalends/portal-link/1\n${purpose}\n${keyId}\n${customerId}\n${at.epochMilliseconds / 1000}`

const signatureCharacters = 32
const pathForm = new RegExp(`^(\\d{1,15})/(\\d{1,12})/([0-9a-f]{${signatureCharacters}})([0-9a-f]{1,12})$`)

/** What of a digest in hex stands in a link. */
export const linkSignature = (digest: string): string => digest.slice(0, signatureCharacters)

/** Customer, unix time, and in hex the signature with the number of its key behind it. */
export const linkPath = ({ customerId, at, keyId }: SignedLink, digest: string): string =>
  `${customerId}/${at.epochMilliseconds / 1000}/${linkSignature(digest)}${keyId.toString(16)}`

/** Undefined for what was cut off or is no link at all; whether it is a true one, its signature tells. */
export function readLinkPath(purpose: LinkPurpose, path: string): { link: SignedLink; signature: string } | undefined {
  const [, customer, time, signature, key] = pathForm.exec(path) ?? []
  if (signature === undefined) return undefined
  const at = Temporal.Instant.fromEpochMilliseconds(Number(time) * 1000)
  return { link: { purpose, keyId: Number.parseInt(key!, 16), customerId: Number(customer), at }, signature }
}
