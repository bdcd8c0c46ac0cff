# A cancellation while the gateway is asked ends the subscription; money that moved counts all the same, and settles what was owed
dunning: 3 attempts, 24 hours apart, then cancel
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-01-10  sign up grace to pro with card 1
2026-01-10  sign up alan to pro with card 1
2026-01-11  card of alan declines
2026-02-09  the workers stop
2026-02-09  cancel ada while the gateway is asked next
2026-02-09  card of grace declines
2026-02-10 08:00  the workers start
2026-02-10 12:00  the workers stop
2026-02-10 12:00  card of grace recovers
2026-02-10 12:00  cancel grace while the gateway is asked next
2026-02-10 12:00  cancel alan while the gateway is asked next
2026-02-11 09:00  the workers start
2026-04-01  the end
