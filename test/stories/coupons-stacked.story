# Several coupons take off in their order, each with uses of its own; one that stands alone is refused beside others
product pro: 50.00 every month
component users: quantity, 10.00
coupon FIVER: 5.00 off for 2 periods
coupon TENTH: 10% off for good
coupon FULL: 10% off for good, of the full price
coupon ALONE: 50% off once, alone
coupon GIFT: 80.00 off once, leaves a credit

2026-01-01  sign up ada to pro with card 1, taking 2 users, coupons FIVER and TENTH
2026-01-01  sign up grace to pro with card 1, coupons TENTH and FULL and FIVER
2026-01-01  sign up alan to pro with card 1, coupons ALONE and TENTH
2026-01-01  sign up joan to pro with card 1, coupons GIFT and TENTH
2026-01-16 12:00  allocate ada 4 users, prorate-attempt-capture
2026-01-20  allocate ada 1 users, prorate-attempt-capture, prorate down
2026-02-10  add ALONE beside the coupons of ada
2026-02-10  add FULL and NONE beside the coupons of ada
2026-02-10  add FULL beside the coupons of ada
2026-02-15  have FULL and TENTH on grace
2026-03-10  remove TENTH of ada
2026-03-10  remove the coupon of grace
2026-04-02  the end
