/** What a sign-up would be: everything it names is found and judged, and nothing is written. */
import type { CalendarBilling } from '../billing/calendar-billing.ts'
import type { ProductTerms } from '../billing/catalog.ts'
import type { ComponentChoice } from '../billing/component-choice.ts'
import { type CustomPrice, customTerms, refuseCentsOfPrice } from '../billing/custom-price.ts'
import type { History } from '../billing/history.ts'
import type { MetadatumChange } from '../billing/metafield.ts'
import { minorUnitOf } from '../billing/money.ts'
import { type NamedPricePoint, problemsOfPricePoints } from '../billing/price-point.ts'
import { invalid, Refusal } from '../billing/refusal.ts'
import { planSignup, requireCard, type SignupDelay, type SignupPlan } from '../billing/signup.ts'
import type { Site } from '../billing/site.ts'
import {
  type CollectionMethod,
  type PricingFacts,
  plainPricing,
  type SubscriptionDetails,
} from '../billing/subscription.ts'
import { nextIds } from '../store/ids.ts'
import { findProductTerms } from '../store/product-terms.ts'
import { type App, siteAndNow } from './app.ts'
import { findMetafieldProblems } from './give-metadata.ts'
import { problemOfVault } from './live-sites.ts'
import { findReferenceProblems } from './refuse-taken.ts'
import { type CardChoice, type CustomerChoice, findParties, type Parties } from './signup-parties.ts'
import { findSignupPricing } from './signup-pricing.ts'
import { noProduct } from './sought-product.ts'
import { refuseExpired, vaultOf } from './store-card.ts'

export type SignupCommand = {
  product: { id: number } | { handle: string } | null
  /** Another than the product's own is refused, and that one too beside a custom price. */
  pricePoints?: readonly NamedPricePoint[]
  /** Takes the place of the product's price, for this subscription alone. */
  customPrice?: CustomPrice | null
  customer: CustomerChoice | null
  card: CardChoice | null
  collectionMethod: CollectionMethod
  nextBillingAt: Temporal.Instant | null
  history?: History
  delay?: SignupDelay | null
  expiresAt?: Temporal.Instant | null
  calendar?: CalendarBilling | null
  details?: Partial<SubscriptionDetails>
  components?: readonly ComponentChoice[]
  /** In any case of letters; the one comes before the others. */
  couponCode?: string | null
  couponCodes?: readonly string[]
  /** Goes to the customer. */
  vatNumber?: string | null
  /** Values for the fields that the site adds to subscriptions, and to a customer who is new. */
  metafields?: readonly MetadatumChange[]
  customerMetafields?: readonly MetadatumChange[]
  /** What was wrong with the fields themselves; told together with what turns out to be missing. */
  problems: readonly string[]
}

export type PlannedSignup = { site: Site; now: Temporal.Instant; plan: SignupPlan; parties: Parties }

/** Refuses, with every problem at once, what is missing or unknown; a customer and a card that is needed too, unless they are not asked for. */
export async function findSignupPlan(
  app: App,
  siteId: number,
  command: SignupCommand,
  { needsCard, needsCustomer }: { needsCard: boolean; needsCustomer: boolean },
): Promise<PlannedSignup> {
  const { site, now } = await siteAndNow(app, app.db, siteId)
  const product = await findTerms(app, siteId, command)
  const parties = await findParties(app.db, siteId, command.customer, command.card, { needsCustomer })
  const vault = parties.storedCard?.currentVault ?? (parties.newCard && vaultOf(parties.newCard))
  const unusable = vault && problemOfVault(app, site, vault)
  if (unusable) parties.problems.push(unusable)
  const { metafields = [], customerMetafields = [] } = command
  const { components = [], couponCode = null, couponCodes = [], vatNumber = null } = command
  const by = { components, couponCode, couponCodes, vatNumber }
  const priced = product && (await findSignupPricing(app.db, { site, now }, product, parties, by))
  const hasCard = command.card !== null || !needsCard
  const told = [
    ...command.problems,
    ...(product ? problemsOfPricePoints(product, command.pricePoints ?? []) : []),
    ...(await findReferenceProblems(app.db, siteId, command.details)),
    ...(await findMetafieldProblems(app.db, siteId, 'subscription', metafields)),
    ...(await findMetafieldProblems(app.db, siteId, 'customer', customerMetafields)),
  ]
  const plan = judge({ ...command, problems: told }, product, parties, priced, { site, now, hasCard })
  return { site, now, plan, parties }
}

async function findTerms(
  app: App,
  siteId: number,
  { product: by, customPrice = null }: SignupCommand,
): Promise<ProductTerms | undefined> {
  const product = by ? await findProductTerms(app.db, siteId, by) : undefined
  if (product === undefined || customPrice === null) return product
  const [versionNumber] = await nextIds(app.db, 'custom_prices')
  return customTerms(product, customPrice, versionNumber!)
}

/** Gives the plan of a sign-up with which nothing is wrong; else refuses with everything that is. */
function judge(
  {
    collectionMethod,
    nextBillingAt,
    history,
    delay = null,
    expiresAt = null,
    calendar = null,
    details = {},
    product: sought,
    problems: told,
  }: SignupCommand,
  product: ProductTerms | undefined,
  { newCard, problems: unfit }: Parties,
  priced: { pricing: PricingFacts; problems: readonly string[] } | undefined,
  { site, now, hasCard }: { site: Site; now: Temporal.Instant; hasCard: boolean },
): SignupPlan {
  const problems = [...(product ? [] : [noProduct(sought)]), ...told, ...unfit, ...(priced?.problems ?? [])]
  const pricing = priced?.pricing ?? { ...plainPricing, minorUnit: minorUnitOf(site.currency) }
  const gather = <Value>(check: () => Value): Value | undefined => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(...error.messages)
      return undefined
    }
  }
  const terms = product && {
    site,
    product,
    collectionMethod,
    nextBillingAt,
    ...(history && { history }),
    delay,
    expiresAt,
    calendar,
    details,
    pricing,
  }
  if (product?.custom) gather(() => refuseCentsOfPrice(site, product))
  const plan = terms && gather(() => planSignup(terms, now))
  gather(() => plan && requireCard(plan, hasCard))
  gather(() => newCard?.number && refuseExpired(newCard.number, now, site.timeZone))
  if (plan === undefined || problems.length > 0) throw invalid(...new Set(problems))
  return plan
}
