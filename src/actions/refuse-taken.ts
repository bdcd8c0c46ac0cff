/** Turns a row that the database refused, because another one has its name already, into words for the caller. */
import { invalid } from '../billing/refusal.ts'
import { violatedConstraint } from '../store/database.ts'

const labels: Readonly<Record<string, string>> = {
  a_reference_names_one_customer: 'Reference',
  a_family_handle_is_unique_in_its_site: 'API Handle',
  a_code_names_one_coupon_of_its_family: 'Code',
  a_product_handle_is_unique_in_its_site: 'API Handle',
}

/** What is told in words of its own. */
const sentences: Readonly<Record<string, string>> = {
  a_metafield_name_is_unique_in_its_site: 'Metafield name must be unique for the Attachment Type',
  a_reason_code_is_unique_in_its_site: 'Code: This code is already in use.',
}

/** Throws: a refusal where a name was taken, else what it was given. */
export function refuseTaken(error: unknown): never {
  const constraint = violatedConstraint(error) ?? ''
  const label = labels[constraint]
  const sentence = label === undefined ? sentences[constraint] : `${label}: must be unique - that value has been taken.`
  throw sentence === undefined ? error : invalid(sentence)
}
