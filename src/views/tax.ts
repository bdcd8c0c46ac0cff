/** How a tax is shown: its rate in percent, exact, with one decimal at least. */
import { formatRate, type Tax } from '../billing/tax.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const taxShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    rate: 'string',
    country: 'string',
    state: 'string',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

type Record = Tax & { createdAt: Temporal.Instant; updatedAt: Temporal.Instant }

export const presentTax = (tax: Record, timeZone: string) => ({
  id: tax.id,
  name: tax.name,
  rate: formatRate(tax.rate),
  country: tax.country,
  state: tax.state,
  created_at: formatTimestamp(tax.createdAt, timeZone),
  updated_at: formatTimestamp(tax.updatedAt, timeZone),
})
