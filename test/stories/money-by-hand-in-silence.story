# A gateway that takes the money and falls silent: charge and refund are finished when it can be asked again, each once
product pro: 50.00 every month
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-15 12:00  sign up grace to pro with card 1
2026-01-20  gateway falls silent
2026-01-20  charge ada 5.00 "Help"
2026-01-20  charge ada 6.00 "While the first is under way"
2026-01-20  refund grace 30.00 of payment 1 "Sorry"
2026-01-20  refund grace 20.01 of payment 1 "More than is left, the first one counted"
2026-01-22  gateway recovers
2026-01-23  gateway loses answers
2026-01-23  charge ada 7.00 "Lost and found"
2026-01-23  refund grace 20.00 of payment 1 "Lost and found"
2026-02-15 11:00  gateway falls silent
2026-02-15 11:00  refund ada 10.00 of payment 1 "Under way beside the renewal"
2026-02-20  gateway recovers
2026-02-21  so far
