/** What a check of a subscription's records is, and the words that such checks share. */
import type { DunningSettings } from '../../src/billing/site.ts'
import type { StoryProduct } from './story.ts'
import type { Capture, Records } from './story-records.ts'

type Circumstances = {
  product: StoryProduct
  dunning: DunningSettings
  captures: readonly Capture[]
  siteNow: Temporal.Instant
}

export type Check = (records: Records, circumstances: Circumstances) => string[]

export const isLater = (left: Temporal.Instant, right: Temporal.Instant): boolean =>
  Temporal.Instant.compare(left, right) > 0

/** One sentence for each place where a condition fails. */
export const unless = (holds: boolean, words: string): string[] => (holds ? [] : [words])
