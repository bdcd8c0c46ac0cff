# Calendar billing on the fifteenth: a part of the month, a full month on the eve, all at once, or nothing before the first renewal
product pro: 30.00 every month, setup fee 5.00
product plus: 60.00 every month
product yearly: 300.00 every year
product tried: 30.00 every month, trial of 14 days without obligation
component users: quantity, 10.00
2026-06-02 15:00  sign up ada to pro with card 1, taking 3 users, on day 15
2026-06-02 15:00  sign up grace to pro with card 1, on day 15, charged immediate
2026-06-02 15:00  sign up alan to pro with card 1, on day 15, charged delayed
2026-06-02 15:00  sign up emmy to tried with card 1, on day 15
2026-06-02 15:00  sign up emmy to yearly with card 1, on day 15
2026-06-02 15:00  sign up emmy to pro with card 1, billed next 2026-07-01, on day 15
2026-06-14 15:00  sign up eve to pro with card 1, on day 15
2026-06-15 12:01  sign up noon to pro with card 1, on day 15
2026-06-20  migrate ada to plus
2026-06-25  move grace to day 20
2026-07-18  move grace to day 10
2026-07-20  change alan to yearly with the renewal
2026-07-22  cancel eve
2026-07-23  reactivate eve
2026-09-20  so far
