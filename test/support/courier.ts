/** Carries webhooks in tests: to this machine too, however long it takes. */
import { createCourier } from '../../src/delivery/courier.ts'

export const testCourier = createCourier({ allowPrivate: true, limitMs: 60_000 })
