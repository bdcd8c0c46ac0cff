# Payments that came past the gateway: they bring failed and given-up subscriptions back, and what is too much stays as credit
dunning: 2 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-15 12:00  sign up grace to pro with card 1
2026-01-15 12:00  sign up alan to pro with card 1
2026-01-15 12:00  sign up emmy to pro without a card, by invoice
2026-01-20  payment of emmy 50.00 "Cheque 17"
2026-02-01  card of ada declines
2026-02-01  card of grace declines
2026-02-01  card of alan declines
2026-02-15 18:00  payment of ada 20.00 "Some of it"
2026-02-16  payment of ada 30.00 "The rest"
2026-02-20  payment of grace 130.00 "Two periods and more"
2026-03-20  cancel alan "enough"
2026-03-21  payment of alan 100.00 "Late but honest"
2026-04-20  so far
