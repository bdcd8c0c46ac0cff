# New York: an hour is skipped on 8 March and one comes twice on 1 November; the wall time comes back after both
zone: America/New_York
product monthly: 30.00 every month
product weekly: 7.00 every 7 days
product daily: 1.00 every day
product try: 10.00 every month, trial of 7 days with payment expected

2026-02-08 02:30         sign up ada to monthly with card 1
2026-03-06 02:30         sign up grace to daily with card 1
2026-03-11               cancel grace
2026-05-01               cancel ada
2026-10-01 01:30         sign up alan to monthly with card 1
2026-10-25 01:30         sign up tony to weekly with card 1
2026-10-29 13:43:36      sign up mary to try with card 1
2026-11-01 01:30 -05:00  sign up eve to daily with card 1
2026-11-04               cancel eve
2026-11-10               cancel tony
2026-12-06               the end
