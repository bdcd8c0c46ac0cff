/** What tests of subscriptions do in their shop again and again: buy, put into a state, and look at what happened. */
import { sql } from '../../src/store/sql.ts'
import type { Reply } from '../support/test-app.ts'
import { made, type Shop, signup } from './shop.ts'

/** Everything in the order in which it happened. */
const inOrder = 'direction=asc&per_page=200'

export function dealings(shop: Shop) {
  const keysOf = async (id: number): Promise<string[]> =>
    (await shop.ask(`GET /subscriptions/${id}/events.json?${inOrder}`)).json.map(
      ({ event }: Reply['json']) => event.key,
    )
  return {
    buy: async (changes: object = {}): Promise<Reply['json']> =>
      (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription,
    /** The state is set where its history does not matter. */
    inState: async (id: number, state: string): Promise<void> => {
      await shop.app.db.run(
        sql`update subscriptions set state = ${state} where site_id = ${shop.siteId} and id = ${id}`,
      )
    },
    keysOf,
    /** What came after the sign-up. */
    lateKeysOf: async (id: number): Promise<string[]> => (await keysOf(id)).slice(3),
    rowsOf: async (id: number): Promise<Reply['json'][]> =>
      (await shop.ask(`GET /subscriptions/${id}/transactions.json?${inOrder}`)).json.map(
        ({ transaction }: Reply['json']) => transaction,
      ),
  }
}
