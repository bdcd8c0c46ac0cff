# A day of the month survives products of other lengths, also those that begin in a shorter month
zone: America/New_York
product monthly: 10.00 every month
product quarterly: 27.00 every 3 months
product yearly: 100.00 every year
product weekly: 3.00 every 7 days

2023-12-31 12:00  sign up ada to monthly with card 1
2023-12-31 12:00  sign up alan to monthly with card 1
2023-12-31 12:00  sign up grace to monthly with card 1
2024-02-10        change ada to yearly
2024-02-11        change grace to weekly
2024-02-12        change grace to monthly
2024-02-12        change alan to yearly with the renewal
2024-03-10        change ada to monthly
2024-03-11        change alan to quarterly
2025-06-01        change alan to monthly with the renewal
2025-09-15        the end
