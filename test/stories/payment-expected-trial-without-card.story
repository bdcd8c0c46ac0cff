# Where payment was expected and there is no card, an info row stands for each attempt, and no payment failed
dunning: 3 attempts, 24 hours apart, then cancel
product try: 20.00 every month, trial of 10 days with payment expected, card optional

2026-03-01  sign up ada to try without a card
2026-05-01  the end
