# Migrations out of a trial and into one: a free trial leaves nothing to credit, a paid one does, and usage is billed
product tried: 99.00 every month, trial of 14 days without obligation
product tasted: 99.00 every month, trial of 10 days for 5.00 with payment expected
product gold: 50.00 every month, trial of 14 days without obligation, setup fee 20.00 after the trial
component users: quantity, 10.00
component calls: metered, 0.50
2026-06-01  sign up ada to tried with card 1, taking 2 users and 10 calls
2026-06-01  sign up grace to tried with card 1
2026-06-01  sign up alan to tasted with card 1
2026-06-03  credit grace 139.89 "Welcome"
2026-06-05  migrate ada to gold
2026-06-05  migrate grace to gold
2026-06-06  migrate alan to gold with its trial with its setup fee
2026-06-08  use ada 6 calls
2026-06-10  migrate ada to tried with its trial
2026-07-10  so far
