# A card that declines at the renewal and is in order again two days later
product pro: 50.00 every month

2026-01-31 12:00  sign up ada to pro with card 1
2026-03-15        card of ada declines
2026-04-01        card of ada recovers
2026-05-10        the end
