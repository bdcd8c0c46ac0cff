# Three attempts three days apart; a retry in between that succeeds ends the dunning, and the next one counts from the start
dunning: 3 attempts, 72 hours apart, then cancel
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-02-01  card of ada declines
2026-02-14  card of ada recovers
2026-03-01  card of ada declines
2026-05-01  the end
