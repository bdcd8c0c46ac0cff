# The billing date moves and with it the trial, the retry's limit and, if asked, the expiration; the periods are counted from there
zone: Europe/Berlin
dunning: 5 attempts, 48 hours apart, then cancel
product pro: 10.00 every month, expires after 4 months
product try: 10.00 every month, trial of 14 days with payment expected
product more: 10.00 every month

2026-01-15 10:00  sign up ada to pro with card 1
2026-01-15 10:00  sign up grace to try with card 1
2026-01-15 10:00  sign up alan to more with card 1
2026-01-20        bill ada next 2026-01-31 10:00, expiration too
2026-01-20        bill grace next 2026-01-25 08:30
2026-01-21        bill grace next 2026-01-20
2026-02-10        card of alan declines
2026-02-16 12:00  bill alan next 2026-02-18 10:00
2026-02-16 12:00  cancel grace at the end of the period
2026-02-16 13:00  bill grace next 2026-02-20
2026-02-19        bill alan next 2026-04-01
2026-02-26        card of alan recovers
2026-03-01        ada expires 2026-03-31
2026-03-02        alan expires 2026-04-01
2026-03-03        alan expires never
2026-05-05        the end
