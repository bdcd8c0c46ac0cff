# Who comes back pays a full period from now on: the balance is forgotten or kept, a period that still lasts may be taken up
product pro: 20.00 every month, setup fee 5.00
product try: 20.00 every month, trial of 10 days with payment expected

2026-06-01  sign up ada to pro with card 1
2026-06-01  sign up grace to pro with card 1
2026-06-01  sign up alan to try with card 1
2026-06-01  sign up tony to pro with card 1
2026-06-05  cancel alan
2026-06-06  reactivate alan resuming
2026-06-15  cancel ada "Gone"
2026-06-15  cancel grace
2026-06-16  adjust tony by -39.00 "Sorry"
2026-06-17  cancel tony
2026-06-18  reactivate tony keeping the balance
2026-06-28  reactivate ada resuming
2026-07-02  reactivate grace resuming or not at all
2026-07-02  reactivate grace resuming
2026-07-20  cancel grace
2026-07-21  adjust grace by 3.00 "Late"
2026-07-22  reactivate grace
2026-07-22  cancel alan
2026-07-23  reactivate alan with a trial
2026-07-24  reactivate alan
2026-09-03  the end
