# A trial that obliged to nothing ends without a trace where there is no card, unless credit covers all that is due
dunning: 2 attempts, 24 hours apart, then cancel
product try: 20.00 every month, trial of 10 days without obligation, setup fee 5.00 after the trial, card optional

2026-03-01  sign up ada to try without a card
2026-03-01  sign up grace to try without a card
2026-03-01  sign up alan to try without a card
2026-03-05  credit grace 30.00 "Welcome"
2026-03-05  credit alan 24.99 "One cent short"
2026-05-01  the end
