/** The reasons that a merchant offers to those who cancel. */
export type ReasonCodeTerms = {
  code: string
  description: string
  /** Its place in the list; among equals the older one comes first. */
  position: number
}

export type ReasonCode = ReasonCodeTerms & {
  siteId: number
  id: number
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}
