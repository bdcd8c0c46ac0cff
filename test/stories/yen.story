# A currency without cents: whatever is computed comes to whole units, and what is given in parts of them is refused
currency: JPY
merchant in JP
product basic: 1000.00 every month, taxable
product better: 2980.00 every month, taxable
component users: quantity, 333.33, taxable
component calls: metered, 0.55, taxable
coupon THIRD: 33% off for 2 periods
coupon FEW: 777.00 off once
tax Shohizei: 10.5% in JP

2026-01-10 12:00  sign up ada to basic with card 1, coupon THIRD, living in JP
2026-01-10 12:00  sign up alan to basic with card 1, taking 3 users, living in JP
2026-01-10 12:00  sign up grace to basic without a card, by invoice, living in JP
2026-01-10 12:00  sign up mary to basic with card 1, on day 3, coupon FEW, living in JP
2026-01-12 07:11  allocate alan 5 users, prorate-attempt-capture
2026-01-15 03:31  migrate ada to better
2026-01-17 09:13  use alan 101 calls
2026-01-19 21:17  allocate alan 1 users, prorate-delay-capture, prorate down
2026-01-20        charge alan 500.50 "Parts"
2026-01-20        charge alan 555.00 "Whole"
2026-01-21        refund alan 0.50 of payment 1 "Parts"
2026-01-22 05:05  migrate grace to better keeping the period
2026-02-01        credit grace 99.00 "Sorry"
2026-03-01        the end
