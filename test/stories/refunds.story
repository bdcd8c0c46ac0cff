# Refunds in parts, through the gateway and elsewhere, never more than was paid; the balance does not move
product pro: 50.00 every month
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-20  refund ada 20.00 of payment 1 "First part"
2026-01-21  refund ada 30.01 of payment 1 "A cent too much"
2026-01-22  gateway declines
2026-01-22  refund ada 10.00 of payment 1 "Declined"
2026-01-23  gateway recovers
2026-01-23  refund ada 25.00 of payment 1 "Second part"
2026-01-24  refund ada 2.00 elsewhere "In cash"
2026-01-25  refund ada 3.01 elsewhere "A cent too much"
2026-01-25  refund ada 3.01 of payment 1 "More than is left of everything"
2026-01-26  payment of ada 5.00 "In cash"
2026-01-26  refund ada 1.00 of payment 2 "Not by a gateway"
2026-02-20  refund ada 45.00 of payment 3 "Sorry"
2026-02-20  cancel ada "enough"
2026-02-21  refund ada 5.00 of payment 1 "The rest, after the end"
