# A product changes at once or with the renewal; the day of the month stays, unless the unit of the period changes
product monthly: 10.00 every month
product quarterly: 27.00 every 3 months
product yearly: 100.00 every year
product weekly: 3.00 every 7 days
product trying: 10.00 every month, trial of 14 days with payment expected, setup fee 4.00 after the trial
product later: 12.00 every month, trial of 14 days with payment expected, setup fee 6.00 after the trial

2026-01-31  sign up ada to monthly with card 1
2026-01-31  sign up grace to monthly with card 1
2026-01-31  sign up alan to monthly with card 1
2026-01-31  sign up tony to trying with card 1
2026-01-31  sign up eve to trying with card 1
2026-02-03  change tony to later
2026-02-03  change eve to monthly with the renewal
2026-02-10  change ada to quarterly
2026-02-10  change grace to quarterly with the renewal
2026-02-10  change alan to weekly with the renewal
2026-02-11  do not change alan
2026-02-12  change alan to weekly
2026-03-10  change alan to monthly
2026-06-10  change grace to yearly with the renewal
2026-06-11  cancel grace
2026-06-12  reactivate grace resuming
2026-06-12  change ada to monthly
2026-10-01  the end
