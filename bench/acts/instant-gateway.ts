/** A gateway that says yes at once and keeps nothing: what it would take is no part of what an act costs here. */
import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../src/billing/changes.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'

const yes = async (): Promise<Outcome> => ({
  result: 'approved',
  gatewayTransactionId: randomUUID(),
  message: 'Approved',
})

export const instantGateway: Gateway = {
  name: 'bogus',
  concurrencyMax: 1000,
  callSecondsMax: 1,
  keySecondsMax: null,
  store: async () => ({ result: 'approved', vaultToken: randomUUID(), customerVaultToken: null }),
  purchase: yes,
  find: yes,
  refund: yes,
  findRefund: yes,
  void: yes,
  close: async () => {},
}
