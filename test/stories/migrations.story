# Migrations up, down, keeping the period, and refused: what is left is credited, the new product charged, and the period begins again
product silver: 99.00 every month
product gold: 900.00 every month, setup fee 20.00
product bronze: 24.00 every month
product yearly: 1200.00 every year
2026-06-01  sign up ada to silver with card 1
2026-06-01  sign up grace to silver with card 1
2026-06-01  sign up alan to silver with card 1
2026-06-01  sign up emmy to silver with card 1
2026-06-16  migrate ada to gold
2026-06-16  migrate ada to gold
2026-06-16  migrate grace to gold with its setup fee
2026-06-16 00:00:03  migrate grace to bronze
2026-06-17  migrate alan to bronze keeping the period
2026-06-21  migrate alan to gold keeping the period
2026-06-26  migrate alan to yearly
2026-06-27  cancel emmy at the end of the period
2026-06-28  migrate emmy to bronze
2026-07-20  cancel emmy
2026-07-21  migrate emmy to gold
2026-08-01  so far
