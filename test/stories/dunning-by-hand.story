# What a merchant does about a payment that failed: retries and new cards leave the schedule alone, a reset or an end of the dunning stops it
dunning: 4 attempts, 24 hours apart, then cancel
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-01-10  sign up grace to pro with card 1
2026-01-10  sign up alan to pro with card 1
2026-01-10  sign up tony to pro with card 1
2026-02-01  card of ada declines
2026-02-01  card of grace declines
2026-02-01  card of alan declines
2026-02-01  card of tony goes wrong
2026-02-10 00:30  retry tony
2026-02-10 01:30  card of tony recovers
2026-02-10 01:40  retry tony
2026-02-10 06:00  retry ada
2026-02-10 06:00  cancel ada at the end of the period
2026-02-10 12:00  new card 2 of ada
2026-02-11 06:00  new card 1 of ada
2026-02-11 06:00  reset the balance of grace
2026-02-11 06:00  cancel the dunning of alan
2026-02-11 06:00  card of alan recovers
2026-02-12  reset the balance of grace
2026-02-12  retry grace
2026-03-15  the end
