# Fourteen daily attempts, the failed renewal being the first, then the subscription is canceled and owes what it owes
product pro: 50.00 every month

2026-01-10 15:45:30  sign up ada to pro with card 1
2026-02-01           card of ada declines
2026-06-01           the end
