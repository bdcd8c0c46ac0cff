# What changes before the first renewal of an import is priced by the regular period, not by the short one that it came with
zone: UTC
product pro: 50.00 every month
product year: 500.00 every year
component users: quantity, 99.93

2026-03-09  sign up ada to pro with card 1, billed next 2026-03-10
2026-03-09  sign up alan to year with card 1, billed next 2026-03-10
2026-03-09  sign up grace to pro with card 1, billed next 2026-05-08
2026-03-09  allocate ada 1 users, prorate-attempt-capture
2026-03-09  allocate alan 1 users, prorate-attempt-capture
2026-03-09  allocate grace 1 users, prorate-attempt-capture
2026-03-09 12:00  allocate ada 0 users, prorate-attempt-capture, prorate down
2026-03-25  allocate ada 1 users, prorate-attempt-capture
2026-05-01  the end
