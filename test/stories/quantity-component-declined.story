# A change that cannot be collected now is collected with the renewal; one without a card never asks
product pro: 50.00 every month
product free: 0.00 every month, card optional
component users: quantity, tiered, 1 to 2 at 10.00, 3 to 5 at 5.00

2026-02-01  sign up ada to pro with card 1
2026-02-08  card of ada declines
2026-02-08  allocate ada 2 users, full-price-attempt-capture
2026-02-09  allocate ada 6 users
2026-02-10  card of ada recovers
2026-02-11  sign up grace to free without a card
2026-02-11  allocate grace 3 users, full-price-attempt-capture
2026-03-02  so far
2026-03-03  allocate grace 1 users, prorate-attempt-capture, prorate down
2026-03-04  cancel grace
2026-03-05  allocate grace 0 users
2026-03-06  the end
