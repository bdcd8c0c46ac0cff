# A subscription that was billed elsewhere comes with its next billing date: no trial, no fee and no charge until then
zone: America/New_York
product pro: 50.00 every month, trial of 14 days with payment expected, setup fee 10.00

2026-01-10 12:00  sign up ada to pro with card 1, billed next 2026-03-31 06:00
2026-01-10 12:00  sign up grace to pro with card 1, billed next 2026-01-10 12:00
2026-01-10 12:00  sign up alan to pro with card 2, billed next 2026-01-11
2026-01-11 12:00  cancel alan
2026-06-10        the end
