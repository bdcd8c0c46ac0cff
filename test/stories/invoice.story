# Who pays by invoice is charged and never collected from: the subscription stays active and the balance grows
product pro: 50.00 every month, setup fee 10.00
product try: 20.00 every month, trial of 14 days without obligation

2026-01-10  sign up ada to pro without a card, by invoice
2026-01-10  sign up grace to try without a card, by invoice
2026-03-20  the end
