# A hold stops time: before the billing date it ends with the same dates, after it a full period is charged and begins then
zone: America/New_York
product pro: 50.00 every month
product try: 50.00 every month, trial of 10 days with payment expected, setup fee 5.00 after the trial
dunning: 2 attempts, 24 hours apart, then cancel
product short: 20.00 every month, expires after 2 months

2026-01-31 12:00  sign up ada to pro with card 1
2026-01-31 12:00  sign up grace to pro with card 1
2026-01-31 12:00  sign up alan to try with card 1
2026-01-31 12:00  sign up tony to pro with card 1
2026-01-31 12:00  sign up eve to pro with card 1
2026-01-31 12:00  sign up sam to short with card 1
2026-01-31 12:00  sign up kim to pro with card 1
2026-02-05        hold alan
2026-02-06        resume alan
2026-02-07        hold alan until 2026-03-03 08:00
2026-02-10        hold ada
2026-02-10        hold grace until 2026-03-10 09:30
2026-02-10        hold tony until 2026-02-20
2026-02-10        hold eve until 2026-03-05
2026-02-10        hold sam
2026-02-10        hold kim until 2026-02-20
2026-02-11        go on holding kim
2026-02-12        cancel kim
2026-02-14        hold kim
2026-02-15        resume ada
2026-02-20        card of eve declines
2026-03-06        hold ada
2026-04-02        card of ada declines
2026-04-02        resume ada
2026-04-03        card of ada recovers
2026-04-03        resume ada
2026-04-05        resume sam
2026-04-06        resume kim
2026-05-15        the end
