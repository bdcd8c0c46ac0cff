/** Lets a story happen, act after act, on the action layer; what came of it is read from the database afterwards. */
import type { App } from '../../src/actions/app.ts'
import { cancelSubscription } from '../../src/actions/cancel-subscription.ts'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recoverPaymentsOf } from '../../src/actions/recover-payments.ts'
import { nothingKnown } from '../../src/billing/customer.ts'
import { Refusal } from '../../src/billing/refusal.ts'
import { sql } from '../../src/store/sql.ts'
import type { Behaviour, Deed, SignUp, Story } from './story.ts'
import { changeComponents } from './story-components.ts'
import { moveMoney } from './story-money.ts'
import { moveClock, openSite, setClock, stopsBetween, type World, workUntilDone } from './story-world.ts'

/** An act as it went: what the story says, and in which words it was refused. */
export type Deeds = { at: Temporal.Instant; line: string; refusal: string | null }[]

/** What is left of a story: its site, its subscriptions by name in the order of their sign-ups, and how the acts went. */
export type Happened = { siteId: number; subscriptions: Map<string, number>; deeds: Deeds }

type Scene = Happened & { world: World; story: Story; customers: Map<string, number>; workersRest: boolean }

/** `stops` are further moments at which the clock halts on its way; they must not change what happens. */
export async function runStory(
  world: World,
  story: Story,
  { stops = [] }: { stops?: readonly Temporal.Instant[] } = {},
): Promise<Happened> {
  const siteId = await openSite(world, story)
  const scene: Scene = {
    siteId,
    subscriptions: new Map(),
    deeds: [],
    world,
    story,
    customers: new Map(),
    workersRest: false,
  }
  let now = story.acts[0]!.at
  for (const { at, line, does } of story.acts) {
    for (const stop of [...stopsBetween(stops, now, at), at]) {
      if (scene.workersRest) await setClock(world.app, siteId, stop)
      else await moveClock(world.app, siteId, stop)
    }
    now = at
    scene.deeds.push({ at, line, refusal: await perform(scene, does) })
  }
  return scene
}

/** Gives the words in which it was refused, if it was. */
async function perform(scene: Scene, does: Deed): Promise<string | null> {
  try {
    await carryOut(scene, does)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.messages.join(' ')
    throw error
  }
}

async function carryOut(scene: Scene, does: Deed): Promise<unknown> {
  const { world, siteId, subscriptions } = scene
  const { app } = world
  const named = (name: string): number => {
    const id = subscriptions.get(name)
    if (id === undefined) throw new Refusal('not_found', [`Nobody called ${name} has signed up.`])
    return id
  }
  switch (does.deed) {
    case 'sign up':
      return signUp(scene, does)
    case 'card':
      return setCard(app, siteId, named(does.name), does.behaviour)
    case 'gateway':
      return setGateway(world, siteId, does.behaviour)
    case 'rates':
      return setRates(world, siteId, does)
    case 'cancel':
      return cancelSubscription(app, siteId, named(does.name), { message: does.message, reasonCode: null })
    case 'cancel while asked': {
      const id = named(does.name)
      const cancellation = { message: null, reasonCode: null }
      world.gateway.meanwhile.set(id, () => cancelSubscription(app, siteId, id, cancellation))
      return
    }
    case 'life':
      return does.act(app, siteId, named(does.name))
    case 'charge':
    case 'adjust':
    case 'credit':
    case 'payment':
    case 'refund':
      return moveMoney(app, siteId, named(does.name), does)
    case 'allocate':
    case 'use':
      return changeComponents(app, siteId, named(does.name), does)
    case 'stop workers':
      scene.workersRest = true
      return
    case 'start workers':
      scene.workersRest = false
      return workUntilDone(app, siteId)
    case 'wait':
      return
  }
}

/** First and last names; a person of another name is called Example. */
const lastNames: Readonly<Record<string, string>> = { ada: 'Lovelace', grace: 'Hopper', alan: 'Turing' }

async function signUp({ world: { app }, siteId, subscriptions, customers }: Scene, does: SignUp): Promise<void> {
  const { person, product, name, card, byInvoice, billedNext, components, coupons } = does
  const { country, state, taxExempt, vatNumber, price } = does
  const firstName = person.charAt(0).toUpperCase() + person.slice(1)
  const lastName = lastNames[person] ?? 'Example'
  const customerId = customers.get(person)
  const email = 'somebody@example.com'
  const details = { ...nothingKnown, email, firstName, lastName, country, state, taxExempt, vatNumber }
  const id = await createSubscription(app, siteId, {
    product: { handle: product },
    customPrice: price,
    customer: customerId === undefined ? { details } : { id: customerId },
    card: card === null ? null : 'number' in card ? newCard(card.number, firstName, lastName) : await cardOf(card.of),
    collectionMethod: byInvoice ? 'invoice' : 'automatic',
    nextBillingAt: billedNext,
    delay: does.delay,
    calendar: does.calendar ?? null,
    components,
    cancellationMessage: null,
    ...(coupons.length > 1 ? { couponCodes: coupons } : { couponCode: coupons[0] ?? null }),
    vatNumber,
    problems: [],
  })
  subscriptions.set(name, id)
  const [row] = await app.db.arrays(sql`select customer_id from subscriptions where site_id = ${siteId} and id = ${id}`)
  customers.set(person, row![0] as number)

  async function cardOf(other: string): Promise<{ profileId: number }> {
    const [found] = await app.db.arrays(sql`
      select payment_profile_id from subscriptions where site_id = ${siteId} and id = ${subscriptions.get(other) ?? 0}`)
    return { profileId: found![0] as number }
  }
}

const newCard = (fullNumber: string, firstName: string, lastName: string) => ({
  profile: {
    firstName,
    lastName,
    billingAddress: null,
    billingAddress2: null,
    billingCity: null,
    billingState: null,
    billingZip: null,
    billingCountry: null,
    number: { fullNumber, cvv: null, expirationMonth: 12, expirationYear: 2099, firstName, lastName },
    imported: null,
  },
})

/** The test gateway goes by the end of the token that it gave out. */
const endOfToken: Partial<Record<Behaviour, number>> = { declines: 2, 'goes wrong': 3 }

const setCard = (app: App, siteId: number, subscriptionId: number, behaviour: Behaviour): Promise<number> =>
  app.db.run(sql`
    update payment_profiles f set vault_token = ${`bogus_story_${endOfToken[behaviour] ?? 1}`} from subscriptions s
    where f.site_id = ${siteId} and s.site_id = ${siteId} and s.id = ${subscriptionId} and f.id = s.payment_profile_id`)

/** Whatever a silent gateway left open is asked for as soon as it recovers. */
async function setGateway({ app, gateway }: World, siteId: number, behaviour: Behaviour): Promise<void> {
  const rate = (of: Behaviour): number => (behaviour === of ? 1 : 0)
  await setRates({ gateway }, siteId, {
    declined: rate('declines'),
    wrong: rate('goes wrong'),
    lost: rate('loses answers'),
  })
  if (behaviour === 'falls silent') gateway.silentSites.add(siteId)
  if (behaviour === 'recovers') {
    gateway.silentSites.delete(siteId)
    await app.db.run(sql`
      update payment_attempts set next_check_at = now() where site_id = ${siteId} and settled_at is null`)
    await recoverPaymentsOf(app, siteId)
  }
}

const setRates = (
  { gateway }: Pick<World, 'gateway'>,
  siteId: number,
  { declined, wrong, lost }: { declined: number; wrong: number; lost: number },
): Promise<void> =>
  gateway.setBehaviour(siteId, { latencyInMs: 0, declineRate: declined, errorRate: wrong, loseAnswerRate: lost })
