# What is given back carries the discount with which it was charged, whatever became of the coupon since; an import carries its own
product pro: 50.00 every month
component users: quantity, 15.00
coupon HALF: 50% off for good
coupon TENTH: 10% off for good

2026-02-01  sign up ada to pro with card 1, taking 4 users, coupon HALF
2026-02-01  sign up grace to pro with card 1, taking 4 users
2026-02-01  sign up alan to pro with card 1, taking 4 users, billed next 2026-03-01, coupon HALF
2026-02-15  remove the coupon of ada
2026-02-15  allocate ada 2 users, no-prorate, prorate down
2026-02-15  add coupon TENTH to ada
2026-02-15  allocate ada 0 users, no-prorate, prorate down
2026-02-15  add coupon HALF to grace
2026-02-15  allocate grace 2 users, no-prorate, prorate down
2026-02-15  allocate alan 2 users, no-prorate, prorate down
2026-02-16  so far
