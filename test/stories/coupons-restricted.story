# Coupons that are good for some of what is sold discount that alone, wait where none of it is billed, and may leave allocations out
product pro: 50.00 every month
product plus: 80.00 every month
component users: quantity, 10.00, taxable
component support: switch, 30.00
component calls: metered, 0.50
coupon HALF: 50% off for good, on pro
coupon TENTH: 10% off for good
coupon SEATS: 15.00 off for 3 periods, on users
coupon FRESH: 50% off for good, on users and calls, not on allocations
tax PA Sales Tax: 6.25% in US-PA

2026-01-01  sign up ada to pro with card 1, taking 2 users and 1 support, coupons HALF and TENTH and SEATS, living in US-PA
2026-01-01  sign up grace to plus with card 1, coupon HALF
2026-01-01  sign up alan to pro with card 1, coupon SEATS
2026-01-01  sign up joan to pro with card 1, taking 2 users, coupon FRESH
2026-01-16 12:00  allocate alan 3 users, prorate-attempt-capture
2026-01-16 12:00  allocate joan 6 users, prorate-attempt-capture
2026-01-20  allocate joan 4 users, prorate-attempt-capture, prorate down
2026-01-21  allocate joan 0 users, prorate-attempt-capture, prorate down
2026-01-21  allocate ada 1 users, prorate-attempt-capture, prorate down
2026-01-25  allocate joan 1 users, prorate-attempt-capture
2026-01-25  use joan 10 calls
2026-02-10  migrate ada to plus keeping the period
2026-02-12  change joan to plus with the renewal
2026-03-02  the end
