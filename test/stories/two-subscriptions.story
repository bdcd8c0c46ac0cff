# Two subscriptions of one customer on one card know nothing of each other: one may be canceled, both feel the card
dunning: 3 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month
product extra: 9.00 every 14 days

2026-01-10  sign up ada to pro with card 4111111111111111
2026-01-20  sign up ada to extra as ada-extra with the card of ada
2026-02-05  card of ada declines
2026-02-18  card of ada recovers
2026-03-05  cancel ada-extra
2026-03-20  the end
