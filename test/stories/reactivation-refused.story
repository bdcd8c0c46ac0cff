# A reactivation that cannot be paid leaves nothing but the failed payment; when it is paid in the end, everything owed is
dunning: 2 attempts, 24 hours apart, then cancel
product pro: 20.00 every month
product free: 0.00 every month, card optional

2026-06-01  sign up ada to pro with card 1
2026-06-01  sign up grace to pro with card 1
2026-06-01  sign up alan to free without a card
2026-06-20  card of ada declines
2026-07-03  reactivate ada keeping the balance
2026-07-04  card of ada goes wrong
2026-07-04  reactivate ada keeping the balance
2026-07-05  card of ada recovers
2026-07-05  reactivate ada keeping the balance
2026-07-06  cancel grace
2026-07-06  gateway falls silent
2026-07-06  reactivate grace
2026-07-06  reactivate grace
2026-07-07  gateway recovers
2026-07-08  cancel alan
2026-07-08  change alan to pro
2026-07-08  reactivate alan
2026-08-10  the end
