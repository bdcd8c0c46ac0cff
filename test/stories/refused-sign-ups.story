# What is refused leaves nothing behind but the event of a payment that failed; the same person signs up later as if for the first time
product pro: 50.00 every month
product try: 20.00 every month, trial of 14 days with payment expected

2026-01-10        sign up ada to pro with card 2
2026-01-10 00:01  sign up ada to pro with card 3
2026-01-10 00:02  sign up ada to try with card 3
2026-01-10 00:03  sign up ada to pro without a card
2026-01-10 00:04  sign up ada to try without a card
2026-01-10 00:05  sign up ada to gold with card 1
2026-01-10 00:06  sign up ada to pro with card 1
2026-01-12        the end
