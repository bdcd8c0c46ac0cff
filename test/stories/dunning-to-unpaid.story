# Dunning that ends in unpaid: periods go on and charges add up, but nothing is asked of the card any more
dunning: 2 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-02-01  card of ada declines
2026-03-01  card of ada recovers
2026-04-20  cancel ada "Lost interest"
2026-07-01  the end
