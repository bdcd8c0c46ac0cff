# Berlin: 29 March has no 02:30 and 25 October has two; retries are a true 24 hours apart all the same
zone: Europe/Berlin
dunning: 4 attempts, 24 hours apart, then unpaid
product monthly: 30.00 every month
product weekly: 7.00 every 7 days

2026-02-28 02:30  sign up ada to monthly with card 1
2026-03-01        card of ada declines
2026-03-22 02:30  sign up grace to weekly with card 1
2026-03-30 12:00  card of ada recovers
2026-04-06        cancel grace
2026-05-01        cancel ada
2026-10-11 02:30  sign up alan to weekly with card 1
2026-10-20        card of alan declines
2026-10-27        card of alan recovers
2026-11-02        the end
