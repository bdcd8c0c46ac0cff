# A price of one's own at the sign-up or later, through renewals, an end and a return; another product ends it
currency: USD
product pro: 50.00 every month, setup fee 10.00
product plus: 80.00 every month
product tried: 50.00 every month, trial of 14 days for 1.00 with payment expected, setup fee 10.00 after the trial
component users: quantity, 10.00
coupon HALF: 50% off for 2 periods
tax PA Sales Tax: 6.25% in US-PA

2026-01-10  sign up ada to pro with card 1, for 30.00 every month
2026-01-10  sign up grace to pro with card 1, for 5.00 every 10 days
2026-01-10  sign up alan to pro with card 1
2026-01-10  sign up tony to tried with card 1
2026-01-10  sign up eve to pro with card 1, for 20.00 every month, taking 2 users, coupon HALF, living in US-PA
2026-01-10  sign up emmy to pro with card 1, for 28.00 every month, on day 24
2026-01-10  sign up nora to pro with card 1, for 40.00 every month, billed next 2026-02-01
2026-01-15  price alan at 20.00 every month
2026-01-15  price alan at 20.00 every month
2026-01-15  price tony at 35.00 every month
2026-01-25  migrate ada to plus
2026-02-15  cancel alan
2026-02-20  reactivate alan
2026-02-20  price grace at 12.00 every month
2026-02-20  change nora to plus with the renewal
2026-02-25  change tony to plus
2026-04-01  the end
