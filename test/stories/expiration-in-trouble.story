# A subscription expires on its day also while it is past due, unpaid, or in its trial; what it owes stays owed
dunning: 3 attempts, 240 hours apart, then unpaid
product pro: 10.00 every month, expires after 3 months
product short: 10.00 every month, trial of 1 month with payment expected, expires after 20 days

2026-01-15  sign up ada to pro with card 1
2026-01-15  sign up grace to pro with card 1
2026-01-15  sign up alan to short with card 1
2026-02-01  card of grace declines
2026-03-10  card of ada declines
2026-06-01  the end
