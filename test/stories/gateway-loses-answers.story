# An answer that is lost is asked for: money moves once, and the story goes on as if nothing had happened
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-02-01  gateway loses answers
2026-03-01  gateway recovers
2026-03-20  the end
