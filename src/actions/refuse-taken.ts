/** Turns a row that the database refused, because another one has its name already, into words for the caller. */
import { invalid } from '../billing/refusal.ts'
import type { SubscriptionDetails } from '../billing/subscription.ts'
import { type Connection, violatedConstraint } from '../store/database.ts'
import { findSubscriptionIdByReference } from '../store/subscriptions.ts'

const labels: Readonly<Record<string, string>> = {
  a_reference_names_one_customer: 'Reference',
  a_reference_names_one_subscription: 'Subscription reference',
  a_family_handle_is_unique_in_its_site: 'API Handle',
  a_code_names_one_coupon_of_its_family: 'Code',
  a_product_handle_is_unique_in_its_site: 'API Handle',
}

/** What is told in words of its own. */
const sentences: Readonly<Record<string, string>> = {
  a_metafield_name_is_unique_in_its_site: 'Metafield name must be unique for the Attachment Type',
  a_component_name_is_unique_in_its_family: 'Name: must be unique - that value has been taken.',
  a_component_handle_is_unique_in_its_site: 'Handle must be unique within a Site.',
  a_reason_code_is_unique_in_its_site: 'Code: This code is already in use.',
}

const taken = (label: string): string => `${label}: must be unique - that value has been taken.`

/** Throws: a refusal where a name was taken, else what it was given. */
export function refuseTaken(error: unknown): never {
  const constraint = violatedConstraint(error) ?? ''
  const label = labels[constraint]
  const sentence = label === undefined ? sentences[constraint] : taken(label)
  throw sentence === undefined ? error : invalid(sentence)
}

/** Tells of a reference that another subscription than this one has, before a card is stored or money is asked for. */
export async function findReferenceProblems(
  connection: Connection,
  siteId: number,
  { reference = null }: Partial<SubscriptionDetails> = {},
  ownId?: number,
): Promise<string[]> {
  if (reference === null) return []
  const found = await findSubscriptionIdByReference(connection, siteId, reference)
  return found === undefined || found === ownId ? [] : [taken('Subscription reference')]
}
