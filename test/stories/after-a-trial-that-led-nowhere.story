# While no statement is open, after a trial that ended for good, a change of product is on none; the next statement tells of the reactivation
product try: 20.00 every month, trial of 10 days without obligation, card optional
product pro: 30.00 every month

2026-06-01  sign up ada to try without a card
2026-06-01  sign up grace to try without a card
2026-06-20  change ada to pro
2026-06-20  change grace to pro
2026-06-21  new card 1 of grace
2026-06-21  reactivate grace
2026-07-22  so far
