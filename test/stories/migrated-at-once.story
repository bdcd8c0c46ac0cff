# A migration at the very second of the sign-up leaves an empty period: one cent of it counts as used, and the new one begins there
zone: UTC
product first: 10.00 every month
product second: 25.00 every month
product third: 7.00 every 10 days, trial of 10 days with payment expected

2026-06-01 01:00  sign up grace to second with card 1
2026-06-01 01:00  migrate grace to first
2026-06-01 01:00  sign up ada to first with card 1
2026-06-01 01:00  migrate ada to second
2026-06-01 01:00  sign up alan to third with card 1
2026-06-01 01:00  migrate alan to first
2026-06-20 01:00  cancel ada
2026-06-20 01:00  reactivate ada
2026-06-20 01:00  migrate ada to first
2026-07-21 01:00  so far
