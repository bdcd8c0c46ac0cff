# Ten months: ten payments; nine with a month of trial; ten with two weeks of trial, which expires at the first period's end after its date
product plain: 10.00 every month, expires after 10 months
product monthtrial: 10.00 every month, trial of 1 month with payment expected, expires after 10 months
product shorttrial: 10.00 every month, trial of 14 days with payment expected, expires after 10 months

2026-01-01  sign up ada to plain with card 1
2026-01-01  sign up grace to monthtrial with card 1
2026-01-01  sign up alan to shorttrial with card 1
2027-02-01  the end
