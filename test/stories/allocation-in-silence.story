# The gateway falls silent while a change is collected: the change stands, nothing else is collected, and the answer is found later
product pro: 50.00 every month
component users: quantity, 15.00

2026-02-01  sign up ada to pro with card 1, taking 1 users
2026-02-08  gateway falls silent
2026-02-08  allocate ada 2 users, full-price-attempt-capture
2026-02-09  allocate ada 3 users, full-price-attempt-capture
2026-02-09  allocate ada 4 users, full-price-delay-capture
2026-02-10  gateway recovers
2026-03-02  the end
