# Adjustments, by an amount and to a target; with nothing owed a failed payment is forgiven, but not one that was given up
dunning: 2 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-15 12:00  sign up grace to pro with card 1
2026-01-15 12:00  sign up alan to pro with card 1
2026-01-20  adjust ada by 12.50 "Postage"
2026-01-21  adjust ada to -20.00 "Make it up"
2026-01-22  adjust ada to -20.00 "Nothing to do"
2026-02-01  card of grace declines
2026-02-01  card of alan declines
2026-02-15 18:00  adjust grace by -49.99 "One cent short"
2026-02-15 19:00  adjust grace by -0.01 "Forgiven"
2026-02-20  adjust alan to 0.00 "Given up before"
2026-03-20  cancel ada "enough"
2026-03-21  adjust ada to 0.00 "Too late"
2026-03-21  credit ada 1.00 "Too late"
