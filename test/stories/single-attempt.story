# With one attempt the first failure is the last: past due and canceled in the same moment, at a renewal or a trial's end
dunning: 1 attempt, 24 hours apart, then cancel
product pro: 50.00 every month
product try: 20.00 every month, trial of 10 days with payment expected

2026-03-01  sign up ada to pro with card 1
2026-03-01  sign up grace to try with card 2
2026-03-15  card of ada declines
2026-05-01  the end
