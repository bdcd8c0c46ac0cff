# A gateway that goes wrong is asked again every hour and counts for nothing; a card that declines then does
dunning: 3 attempts, 24 hours apart, then cancel
product pro: 50.00 every month

2026-01-10 12:00  sign up ada to pro with card 1
2026-01-10 12:00  sign up grace to pro with card 1
2026-02-10 11:00  gateway goes wrong
2026-02-10 14:30  gateway recovers
2026-02-10 14:30  card of grace declines
2026-02-12 14:00  card of grace goes wrong
2026-02-12 17:30  card of grace recovers
2026-03-01        the end
