/** What a merchant writes down about a subscription. */
export type NoteTerms = {
  body: string
  /** Kept in sight. */
  sticky: boolean
}

export type Note = NoteTerms & {
  siteId: number
  id: number
  subscriptionId: number
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}
