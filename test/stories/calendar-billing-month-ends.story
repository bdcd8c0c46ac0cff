# Calendar billing on the last day of each month at noon, in New York across daylight saving
zone: America/New_York
product pro: 30.00 every month
2026-06-02 15:00  sign up ada to pro with card 1, on day end
2026-06-29 15:00  sign up grace to pro with card 1, on day end
2026-06-30 12:01  sign up alan to pro with card 1, on day end
2026-09-05  cancel grace
2026-09-05  cancel alan
2026-10-31 09:00  sign up emmy to pro with card 1, on day end
2027-01-10  sign up eve to pro with card 1, on day end
2027-04-10  so far
