# A free trial becomes a paid subscription, and its end is what the paid periods are counted from
product pro: 50.00 every month, trial of 14 days with payment expected

2026-01-20 09:30  sign up ada to pro with card 1
2026-04-01        the end
