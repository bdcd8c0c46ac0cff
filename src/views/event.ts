/** How a site event is shown. */
import type { SiteEvent } from '../billing/event.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const eventShape: Fields = {
  fields: {
    id: 'integer',
    key: 'string',
    message: 'string',
    subscription_id: 'integer',
    customer_id: 'integer',
    created_at: 'datetime',
    event_specific_data: {
      fields: {
        account_transaction_id: 'integer',
        product_id: 'integer',
        cancels_at: 'datetime',
        dunner: { fields: { created_at: 'datetime', last_attempted_at: 'datetime' } },
      },
    },
  },
}

export const presentEvent = (event: Omit<SiteEvent, 'particulars'> & { id: number }, timeZone: string) => ({
  id: event.id,
  key: event.key,
  message: event.message,
  subscription_id: event.subscriptionId,
  customer_id: event.customerId,
  created_at: formatTimestamp(event.createdAt, timeZone),
  event_specific_data: saysNothing(event) ? null : event.eventSpecificData,
})

/**
 * Clients with typed models take no null for the row that an event of money names. Where there is none, as with a subscription that was
 * brought along paid for, there is nothing to be told beside the event itself.
 */
const saysNothing = ({ eventSpecificData: data }: Pick<SiteEvent, 'eventSpecificData'>): boolean =>
  data !== null && 'account_transaction_id' in data && data.account_transaction_id === null
