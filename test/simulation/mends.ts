/** What keeps payments single, taken out one at a time from a copy of the service: the simulation must find each. */

export type Mend = { name: string; file: string; stands: string; put: string }

export const mends: readonly Mend[] = [
  {
    name: 'an error ends an attempt only when every call was heard',
    file: 'store/payment-attempts.ts',
    stands: `and (u.outcome <> 'error' or u.is_quiet or a.calls_heard + u.heard >= a.calls_begun)`,
    put: '',
  },
  {
    name: 'a gateway that knows nothing is believed when nothing can be on its way',
    file: 'billing/recovery.ts',
    stands: 'const isQuiet = isOver || secondsSinceLastCall >= quietSeconds',
    put: 'const isQuiet = isOver || quietSeconds > secondsSinceLastCall || true',
  },
  {
    name: 'a key is asked again only while it lives',
    file: 'actions/gateway-answers.ts',
    stands: 'keySecondsMax === null ? null : Math.max(0, keySecondsMax - callSecondsMax - quietMarginSeconds)',
    put: 'keySecondsMax === null || callSecondsMax > 0 ? null : keySecondsMax',
  },
  {
    name: 'recovery looks before it asks',
    file: 'actions/recover-payments.ts',
    stands: 'const found = await lookUp(gateway, attempt)',
    put: `const found = (await lookUp(gateway, attempt)) && ({ result: 'not_found' } as const)`,
  },
  {
    name: 'a call on record is made within seconds or goes on record anew',
    file: 'actions/ask-gateway.ts',
    stands: 'app.isAlive(hold.asker) && app.timers.monotonicMs() - recordedMs <= freshMs',
    put: 'hold.asker > 0 || recordedMs > freshMs',
  },
  {
    name: 'a late approval is never dropped',
    file: 'store/payment-attempts.ts',
    stands: `u.outcome = 'approved' and (a.settled_at is not null or a.voiding)`,
    put: `u.outcome = 'dropped'`,
  },
  {
    name: 'a sign-up that the gateway does not know is believed when nothing can be on its way',
    file: 'actions/undo-signup.ts',
    stands: 'const isQuiet = secondsSinceLastCall >= gateway.callSecondsMax + quietMarginSeconds',
    put: 'const isQuiet = secondsSinceLastCall >= 0 || quietMarginSeconds > 0',
  },
]
