# A charge takes the card although there is credit, unless credit is asked for first; what credit does not cover is captured
product pro: 50.00 every month
2026-01-15 12:00  sign up ada to pro with card 1
2026-01-20  credit ada 10.00 "Sorry"
2026-01-21  charge ada 4.00 "Whatever the balance"
2026-01-22  charge ada 4.00 "All from credit", from credit first
2026-01-23  charge ada 20.00 "Some from credit", from credit first
2026-01-24  charge ada 3.00 "None left", from credit first
2026-02-20  so far
