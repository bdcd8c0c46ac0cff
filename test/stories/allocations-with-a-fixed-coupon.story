# A fixed amount is taken off a period once, in however many pieces it is charged; nothing that was free is given back as money
product free: 0.00 every month
product pro: 50.00 every month
component users: quantity, 8.00
coupon TEN: 10.00 off for good

2026-02-01  sign up ada to free with card 1, coupon TEN
2026-02-01  sign up grace to pro with card 1, coupon TEN
2026-02-01  allocate ada 1 users, prorate-delay-capture, prorate down
2026-02-01  allocate ada 2 users, prorate-delay-capture, prorate down
2026-02-01  allocate ada 3 users, prorate-delay-capture, prorate down
2026-02-01  allocate ada 0 users, prorate-delay-capture, prorate down
2026-02-01  allocate grace 1 users, prorate-delay-capture, prorate down
2026-02-01  allocate grace 0 users, prorate-delay-capture, prorate down
2026-03-02  so far
