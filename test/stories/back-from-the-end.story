# From unpaid and from a trial that led nowhere there is a way back; from an expiration there is none before it is canceled
dunning: 1 attempts, 24 hours apart, then unpaid
product pro: 20.00 every month
product try: 20.00 every month, trial of 10 days without obligation, card optional
product short: 20.00 every month, expires after 1 month

2026-06-01  sign up ada to pro with card 1
2026-06-01  sign up grace to try without a card
2026-06-01  sign up alan to short with card 1
2026-06-01  sign up tony to pro with card 1
2026-06-20  card of ada declines
2026-06-20  card of tony declines
2026-07-10  payment of grace 5.00 "In advance"
2026-07-10  reactivate grace
2026-07-11  new card 1 of grace
2026-07-11  reactivate grace keeping the balance
2026-07-11  reactivate alan
2026-07-12  cancel alan
2026-07-12  reactivate alan
2026-08-05  retry ada
2026-08-05  card of ada recovers
2026-08-06  retry ada
2026-08-07  card of tony recovers
2026-08-07  reactivate tony
2026-08-20  the end
