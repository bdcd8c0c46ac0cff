/** Carries webhooks in tests: to this machine too, and with less patience than in service. */
import { createCourier } from '../../src/delivery/courier.ts'

export const testCourier = createCourier({ allowPrivate: true, limitMs: 2000 })
