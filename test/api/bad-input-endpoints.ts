/** Every endpoint whose body is tried with wrong values, and held against what is said of it. */
import { definitionEndpoints } from './bad-input-definitions.ts'
import { componentEndpoints, moneyEndpoints, priceEndpoints, recordEndpoints } from './bad-input-money.ts'
import type { Place } from './bad-input-place.ts'
import { customerEndpoints, type Endpoint, subscriptionEndpoints } from './bad-input-subscriptions.ts'

export const everyEndpoint = (place: Place): Endpoint[] => [
  ...componentEndpoints(place),
  ...moneyEndpoints(place),
  ...priceEndpoints(place),
  ...definitionEndpoints(place),
  ...recordEndpoints(place),
  ...customerEndpoints(place),
  ...subscriptionEndpoints(place),
]
