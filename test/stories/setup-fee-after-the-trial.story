# A setup fee that waits for the trial's end is charged with the first paid period; without a trial it does not wait
product pro: 30.00 every month, trial of 7 days for 2.00 with payment expected, setup fee 15.00 after the trial
product now: 30.00 every month, setup fee 15.00 after the trial

2026-05-01 08:00  sign up ada to pro with card 1
2026-05-01 08:00  sign up grace to now with card 1
2026-06-10        the end
