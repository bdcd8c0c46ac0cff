# A product that costs nothing still writes its row for each period and needs no card
product free: 0.00 every month, card optional

2026-01-10  sign up ada to free without a card
2026-03-20  the end
