/** How a reason code is shown. */
import type { ReasonCode } from '../billing/reason-code.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const reasonCodeShape: Fields = {
  fields: {
    id: 'integer',
    site_id: 'integer',
    code: 'string',
    description: 'string',
    position: 'integer',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

export const presentReasonCode = (reasonCode: ReasonCode, timeZone: string) => ({
  id: reasonCode.id,
  site_id: reasonCode.siteId,
  code: reasonCode.code,
  description: reasonCode.description,
  position: reasonCode.position,
  created_at: formatTimestamp(reasonCode.createdAt, timeZone),
  updated_at: formatTimestamp(reasonCode.updatedAt, timeZone),
})
