# Changes in the middle of a period are discounted without using the coupon up, and taxed; what is given back is their mirror
product pro: 50.00 every month, taxable
component users: quantity, 15.00, taxable
component support: switch, 45.00
coupon HALF: 50% off for 2 periods
tax MA Tax: 6.25% in US-MA

2026-02-01  sign up ada to pro with card 1, taking 1 users, coupon HALF, living in US-MA
2026-02-15  allocate ada 4 users and 1 support, prorate-attempt-capture
2026-02-15  allocate ada 1 users and 0 support, no-prorate, prorate down
2026-02-22  allocate ada 3 users, prorate-delay-capture
2026-03-15  allocate ada 1 users and 1 support, full-price-delay-capture, prorate down
2026-04-15  allocate ada 2 users, prorate-attempt-capture
2026-04-16  the end
