/** Stories that nobody wrote: random products, cards, troubles and months, as text that can be saved as a story of its own. */
import fc from 'fast-check'
import { upgradeSchemes } from '../../src/billing/site.ts'
import { calendar, circumstances, monthly, pricingDeeds, pricingLines } from './random-pricing.ts'

const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Chatham',
]

const amount = fc.integer({ min: 1, max: 9999 }).map((cents) => (cents / 100).toFixed(2))
const oneOf = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
/** Now and then, and else nothing. */
const maybe = (text: fc.Arbitrary<string>, weight: number): fc.Arbitrary<string> =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant('') }, { weight, arbitrary: text })

const interval = fc.oneof(
  fc.integer({ min: 4, max: 45 }).map((days) => `${days} days`),
  fc.integer({ min: 1, max: 13 }).map((months) => `${months} months`),
)
const shortInterval = fc.integer({ min: 1, max: 30 }).map((days) => `${days} days`)

const product = fc
  .record({
    price: fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: fc.constant('0.00') }),
    every: interval,
    trial: maybe(
      fc
        .tuple(
          fc.oneof(shortInterval, fc.constant('1 month')),
          maybe(
            amount.map((price) => ` for ${price}`),
            4,
          ),
        )
        .chain(([length, price]) =>
          oneOf(' without obligation', ' with payment expected').map((kind) => `, trial of ${length}${price}${kind}`),
        ),
      5,
    ),
    fee: maybe(
      fc.tuple(amount, oneOf('', ' after the trial')).map(([fee, when]) => `, setup fee ${fee}${when}`),
      3,
    ),
    expires: maybe(
      fc.integer({ min: 1, max: 8 }).map((months) => `, expires after ${months} months`),
      2,
    ),
    card: maybe(fc.constant(', card optional'), 5),
    taxed: maybe(fc.constant(', taxable'), 5),
  })
  .map(({ price, every, ...clauses }) => `${price} every ${every}${Object.values(clauses).join('')}`)

const dunning = fc
  .record({ attempts: fc.integer({ min: 1, max: 5 }), hours: oneOf(1, 6, 24, 72, 200), end: oneOf('cancel', 'unpaid') })
  .map(({ attempts, hours, end }) => `dunning: ${attempts} attempts, ${hours} hours apart, then ${end}`)

const names = ['ada', 'grace', 'alan', 'tony'] as const
/** The first to sign up are the busiest. */
const name = oneOf('ada', 'ada', 'ada', 'grace', 'grace', 'alan', 'tony')

/** Of users and calls. */
const count = fc.integer({ min: 0, max: 30 })

/** Hours from one act to the next: some at the same moment, some weeks apart. */
const gapHours = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 100, max: 900 }))

/** Acts with the hours that go by before each. */
type Acts = readonly (readonly [hours: number, act: string])[]

const after = (act: fc.Arbitrary<string>): fc.Arbitrary<Acts> =>
  fc.tuple(gapHours, act).map(([hours, one]) => [[hours, one]])

/** What goes wrong is asked again every hour, so it does not last. */
const forHours = (act: fc.Arbitrary<string>, then: (act: string) => fc.Arbitrary<string>): fc.Arbitrary<Acts> =>
  fc
    .tuple(gapHours, act, fc.integer({ min: 1, max: 60 }))
    .chain(([hours, one, lasts]) => then(one).map((next) => [[hours, one] as const, [lasts, next] as const]))

/** What may be done between two moments. */
const deeds = [
  after(
    fc.tuple(name, oneOf('declines', 'declines', 'declines', 'recovers')).map((pair) => `card of ${pair.join(' ')}`),
  ),
  forHours(
    name.map((who) => `card of ${who} goes wrong`),
    (wrong) => oneOf('declines', 'recovers').map((how) => wrong.replace('goes wrong', how)),
  ),
  after(oneOf('declines', 'loses answers', 'recovers', 'recovers').map((how) => `gateway ${how}`)),
  forHours(fc.constant('gateway goes wrong'), () => oneOf('gateway recovers', 'gateway declines')),
  after(name.map((who) => `cancel ${who} "Random"`)),
  after(name.map((who) => `cancel ${who} at the end of the period`)),
  after(name.map((who) => `do not cancel ${who}`)),
  after(
    fc
      .tuple(
        name,
        oneOf('', '', ' with a trial', ' keeping the balance', ' resuming', ' resuming forgiving what is owed'),
      )
      .map(([who, how]) => `reactivate ${who}${how}`),
  ),
  after(name.map((who) => `hold ${who}`)),
  after(name.map((who) => `resume ${who}`)),
  after(name.map((who) => `retry ${who}`)),
  after(name.map((who) => `reset the balance of ${who}`)),
  after(name.map((who) => `cancel the dunning of ${who}`)),
  after(
    fc
      .tuple(name, oneOf('first', 'second'), oneOf('', ' with the renewal'))
      .map(([who, handle, when]) => `change ${who} to ${handle}${when}`),
  ),
  after(
    fc
      .tuple(name, amount, oneOf('month', '3 months', '10 days'))
      .map(([who, dollars, every]) => `price ${who} at ${dollars} every ${every}`),
  ),
  after(fc.tuple(name, oneOf(1, 1, 2)).map(([who, number]) => `new card ${number} of ${who}`)),
  after(fc.tuple(name, oneOf('invoice', 'card')).map(([who, how]) => `${who} pays by ${how}`)),
  after(fc.tuple(name, amount).map(([who, dollars]) => `credit ${who} ${dollars} "Random"`)),
  after(
    fc
      .tuple(name, fc.integer({ min: 1, max: 4 }), oneOf('paid', 'credited', 'charged', 'archived'), amount)
      .map(([who, place, how, dollars]) =>
        how === 'archived'
          ? `invoice ${place} of ${who} is archived`
          : `invoice ${place} of ${who} is ${how} ${dollars} "Random"`,
      ),
  ),
  after(
    fc
      .tuple(name, amount, oneOf('', '', ', from credit first', ', with the renewal', ', or accrued'))
      .map(([who, dollars, how]) => `charge ${who} ${dollars} "Random"${how}`),
  ),
  after(
    fc.tuple(name, oneOf('by', 'to'), amount).map(([who, how, dollars]) => `adjust ${who} ${how} ${dollars} "Random"`),
  ),
  after(fc.tuple(name, amount).map(([who, dollars]) => `payment of ${who} ${dollars} "Random"`)),
  after(
    fc
      .tuple(name, amount, oneOf('of payment 1', 'of payment 2', 'elsewhere'))
      .map(([who, dollars, how]) => `refund ${who} ${dollars} ${how} "Random"`),
  ),
  after(
    fc
      .tuple(name, count, oneOf('', ...upgradeSchemes.map((scheme) => `, ${scheme}`)), oneOf('', ', prorate down'))
      .map(([who, users, up, down]) => `allocate ${who} ${users} users${up}${down}`),
  ),
  after(
    fc
      .tuple(name, oneOf('0', '1'), count, oneOf(...upgradeSchemes))
      .map(([who, on, users, up]) => `allocate ${who} ${on} support and ${users} users, ${up}, prorate down "Random"`),
  ),
  after(fc.tuple(name, fc.integer({ min: -20, max: 300 })).map(([who, calls]) => `use ${who} ${calls} calls`)),
  ...pricingDeeds.map((deed) => after(fc.tuple(name, deed).map(([who, act]) => act.replace('who', who)))),
  after(fc.constant('so far')),
]
/** What ends otherwise when the clock halts on its way. */
const troubles = [
  after(
    fc
      .tuple(oneOf('0', '0.3', '0.7'), oneOf('0', '0.3'), oneOf('0', '0.3', '1'))
      .map(([declined, wrong, lost]) => `gateway declines ${declined}, goes wrong ${wrong}, loses answers ${lost}`),
  ),
  after(fc.constant('gateway falls silent')),
  after(oneOf('the workers stop', 'the workers start')),
  after(name.map((who) => `cancel ${who} while the gateway is asked next`)),
]

const goodCards = ['with card 1', 'without a card, by invoice'] as const
const anyCards = [...Array<string>(5).fill('with card 1'), 'with card 2', 'without a card', ...goodCards]

const taking = maybe(
  fc
    .tuple(count, oneOf('0', '1'), count)
    .map(([users, on, calls]) => `, taking ${users} users and ${on} support and ${calls} calls`),
  4,
)

const ownPrice = maybe(
  fc.tuple(amount, interval).map(([dollars, every]) => `, for ${dollars} every ${every}`),
  4,
)

const signUp = (who: string, cards: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(oneOf('first', 'second', 'third'), oneOf(...cards), ownPrice, taking, maybe(calendar, 5), circumstances)
    .map(([handle, card, price, taken, day, rest]) => {
      const paying = card.replace(/(, by invoice)?$/, `${price}${taken}$1`)
      return `sign up ${who} to ${handle} ${paying}${handle === 'third' ? day : ''}${rest}`
    })

const signUps = (cards: readonly string[]): fc.Arbitrary<Acts[]> =>
  fc.tuple(...names.map((who) => after(signUp(who, cards))))

const site = fc.record({
  zone: oneOf(...zones),
  dunning,
  products: fc.tuple(product, product, monthly),
  pricing: pricingLines,
  startsAt: fc.integer({ min: 1_704_067_200, max: 1_900_000_000 }),
})
type Site = typeof site extends fc.Arbitrary<infer Value> ? Value : never

/** `calm` stories hold only what goes the same way however often the clock halts on its way. */
export const randomStory = ({ calm }: { calm: boolean }): fc.Arbitrary<string> =>
  fc
    .record({
      site,
      people: signUps(anyCards),
      acts: fc.array(fc.oneof(...deeds, ...(calm ? [] : troubles)), { maxLength: 10 }),
      places: fc.array(fc.nat(), { minLength: names.length, maxLength: names.length }),
      lastHours: fc.integer({ min: 200, max: 1500 }),
    })
    .map(({ site: where, people, acts, places, lastHours }) => {
      const all: Acts[] = [...acts]
      const later = [...places]
      // Two sign up before anything else happens, the others some time later.
      for (const one of people.slice(2)) all.splice(later.pop()! % (all.length + 1), 0, one)
      all.unshift(...people.slice(0, 2))
      const ending: Acts = calm
        ? [[lastHours, 'the end']]
        : [
            [lastHours, 'gateway recovers'],
            [0, 'the workers start'],
            [100, 'the end'],
          ]
      return tell(where, [...all.flat(), ...ending])
    })

/** The same people twice: once looked after all the time, and once by workers that rest until the end. All of them pay. */
export const randomRest = (): fc.Arbitrary<{ attended: string; rested: string }> =>
  fc
    .record({
      site,
      people: signUps(goodCards),
      leaving: fc.array(after(name.map((who) => `cancel ${who} at the end of the period`)), { maxLength: 2 }),
      hours: fc.integer({ min: 100, max: 6000 }),
    })
    .map(({ site: where, people, leaving, hours }) => {
      const acts = [...people, ...leaving].flat()
      const end: Acts = [[hours, 'the end']]
      return {
        attended: tell(where, [...acts, [0, 'so far'], ...end]),
        rested: tell(where, [...acts, [0, 'the workers stop'], [hours, 'the workers start']]),
      }
    })

function tell({ zone, dunning: settings, products, pricing, startsAt }: Site, acts: Acts): string {
  let at = Temporal.Instant.fromEpochMilliseconds(startsAt * 1000)
  const dated = acts.map(([hours, act]) => {
    at = at.add({ hours })
    const local = at.toZonedDateTimeISO(zone)
    return `${local.toPlainDate()} ${local.toPlainTime()} ${local.offset}  ${act}`
  })
  const sold = ['first', 'second', 'third'].map((handle, place) => `product ${handle}: ${products[place]}`)
  return ['# A random story', `zone: ${zone}`, settings, ...sold, ...pricing, ...dated].join('\n')
}
