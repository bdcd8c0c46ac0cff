# Users: an upgrade that is paid at once, one with the renewal, a downgrade with a credit, changes that cost nothing
product pro: 50.00 every month
component users: quantity, 15.00

2026-02-01 12:00  sign up ada to pro with card 1, taking 2 users
2026-02-15 12:00  allocate ada 4 users, prorate-attempt-capture "Grace and Alan"
2026-02-22 12:00  allocate ada 5 users, prorate-delay-capture
2026-03-10 12:00  allocate ada 3 users, no-prorate, prorate down "They left"
2026-04-05        allocate ada 6 users
2026-04-06        allocate ada 5 users
2026-04-07        allocate ada 6 users, full-price-delay-capture
2026-04-08        allocate ada 7 users, full-price-attempt-capture
2026-05-02        the end
