# A cancellation at the period's end charges nothing more, and an immediate one in between clears it
product pro: 50.00 every month
product try: 20.00 every month, trial of 14 days with payment expected

2026-01-10  sign up ada to pro with card 1
2026-01-10  sign up grace to pro with card 1
2026-01-10  sign up alan to try with card 1
2026-01-15  cancel alan at the end of the period
2026-02-15  cancel ada at the end of the period
2026-02-15  cancel grace at the end of the period
2026-02-20  cancel grace "At once after all"
2026-05-01  the end
