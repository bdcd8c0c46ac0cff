# The workers rest for three months: each period is billed once with the dates it should have had, a trial's end is not forgotten, and an expiration comes in its turn
dunning: 4 attempts, 24 hours apart, then cancel
product pro: 50.00 every month
product try: 20.00 every month, trial of 14 days with payment expected
product term: 10.00 every month, expires after 2 months

2026-01-10  sign up ada to pro with card 1
2026-01-10  sign up grace to pro with card 1
2026-01-10  sign up alan to try with card 1
2026-01-10  sign up tony to term with card 1
2026-01-11  card of grace declines
2026-01-12  the workers stop
2026-04-15 08:30  the workers start
2026-04-17  card of grace recovers
2026-05-20  the end
