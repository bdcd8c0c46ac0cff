# A sign-up that waits charges nothing before its day; then it begins as any other, and a declined card ends it
zone: America/New_York
dunning: 3 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month, setup fee 20.00
product lite: 10.00 every month, trial of 14 days for 1.00 with payment expected, setup fee 5.00 after the trial
product short: 20.00 every month, expires after 2 months
component users: quantity, 15.00
component calls: metered, 0.01
coupon HALF: 50% off for 2 periods

2026-01-10 12:00  sign up ada to pro with card 1, taking 2 users and 10 calls, beginning 2026-01-31 12:00, coupon HALF
2026-01-10 12:00  sign up grace to lite with card 1, beginning 2026-01-31 12:00
2026-01-10 12:00  sign up alan to pro with card 2, beginning 2026-01-31 12:00
2026-01-10 12:00  sign up mary to pro without a card, by invoice, beginning 2026-01-31 12:00
2026-01-10 12:00  sign up joan to short with card 1, beginning later
2026-01-10 12:00  sign up hedy to pro with card 1, beginning 2026-03-01
2026-01-10 12:00  sign up emmy to pro with card 1, beginning 2026-02-10 08:00
2026-01-10 12:00  sign up rosa to pro with card 2, beginning 2026-03-01
2026-01-10 12:00  sign up tony to pro with card 1, beginning 2026-03-01
2026-01-12        hedy begins 2026-02-01
2026-01-13        allocate ada 3 users, full-price-attempt-capture
2026-01-15        activate rosa
2026-01-16        activate rosa, or not at all
2026-01-20        change hedy to lite
2026-01-25        cancel tony "Never mind"
2026-02-10 07:00  gateway goes wrong
2026-02-10 10:30  gateway recovers
2026-02-12        reactivate tony
2026-02-15        activate joan
2026-02-20        the workers stop
2026-02-21        sign up lisa to pro with card 1, beginning 2026-02-22
2026-03-25        the workers start
2026-04-20        the end
