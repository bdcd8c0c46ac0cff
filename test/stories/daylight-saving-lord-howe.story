# Lord Howe Island moves its clocks by half an hour: back on 5 April, forward on 4 October
zone: Australia/Lord_Howe
product monthly: 30.00 every month
product weekly: 7.00 every 7 days

2026-03-05 01:45  sign up ada to monthly with card 1
2026-03-29 01:45  sign up grace to weekly with card 1
2026-04-20        cancel grace
2026-05-20        cancel ada
2026-09-04 02:15  sign up alan to monthly with card 1
2026-09-27 02:15  sign up tony to weekly with card 1
2026-10-20        cancel tony
2026-11-10        the end
