# A coupon takes the place of another, starts at 0 each time, and is refused when it is used up; dunning pays what was discounted
dunning: 3 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month
coupon TENTH: 10% off for good
coupon HALF: 50% off once
coupon RARE: 5.00 off for good, 1 use

2026-01-01  sign up ada to pro with card 1, coupon tenth
2026-01-01  sign up grace to pro with card 1, coupon RARE
2026-01-01  sign up alan to pro with card 1, coupon RARE
2026-01-10  add coupon RARE to ada
2026-01-10  add coupon NONE to ada
2026-01-10  add coupon half to ada
2026-01-20  card of ada declines
2026-02-02 12:00  card of ada recovers
2026-02-10  add coupon HALF to ada
2026-03-10  remove the coupon of ada
2026-03-10  remove the coupon of ada
2026-04-01  the end
