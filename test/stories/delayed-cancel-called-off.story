# A cancellation at the end of the period may be called off until it took place; nothing of a change to come outlives it
product pro: 50.00 every month
product max: 90.00 every month

2026-01-10  sign up ada to pro with card 1
2026-01-10  sign up grace to pro with card 1
2026-01-12  change grace to max with the renewal
2026-01-15  cancel ada at the end of the period
2026-01-15  cancel grace at the end of the period
2026-01-16  hold ada
2026-01-20  do not cancel ada
2026-01-21  do not cancel ada
2026-02-20  do not cancel grace
2026-02-21  reactivate grace
2026-04-01  the end
