# Charges by hand: captured at once whatever the balance, declined without a trace on it, accrued, or left for the renewal
product pro: 50.00 every month
product lite: 10.00 every month, card optional
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-15 12:00  sign up grace to pro with card 1
2026-01-15 12:00  sign up alan to pro with card 1
2026-01-15 12:00  sign up emmy to lite without a card, by invoice
2026-01-20  charge ada 5.00 "Setup help"
2026-01-21  charge ada 7.00 "Travel", with the renewal
2026-01-22  charge ada 1.00 "Stamps"
2026-01-22  charge grace 8.00 "Training"
2026-01-23  card of grace declines
2026-01-23  charge grace 9.00 "More training"
2026-01-24  charge grace 9.50 "Much more training", or accrued
2026-01-25  charge emmy 3.00 "Paper"
2026-02-10  card of grace recovers
2026-02-11  cancel alan "enough"
2026-02-12  charge alan 1.00 "Too late"
2026-03-01  so far
