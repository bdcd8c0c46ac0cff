# A trial that is canceled keeps its dates and is never charged
product pro: 50.00 every month, trial of 14 days with payment expected

2026-01-20 09:30  sign up ada to pro with card 1
2026-01-25 17:00  cancel ada "Not for us"
2026-04-01        the end
