# Who changes from invoices to a card pays open invoices with the next renewal; who changes to invoices finds what is owed on the next one
product pro: 50.00 every month, card optional

2026-01-01  sign up ada to pro with card 1
2026-01-01  sign up grace to pro with card 1
2026-01-02  ada pays by invoice
2026-01-15  charge ada 20.00 "Training"
2026-01-20  card of grace declines
2026-02-02  grace pays by invoice
2026-02-03  cancel the dunning of grace
2026-02-15  ada pays by card
2026-02-16  charge ada 5.00 "Captured, and no invoice's business"
2026-02-17  adjust ada by -10.00 "Sorry"
2026-03-05  payment of grace 60.00 "Transfer"
2026-03-06  cancel grace "Done"
2026-03-07  reactivate grace
2026-03-08  reset the balance of grace
2026-03-20  charge ada 7.00 "Waits", with the renewal
2026-03-21  ada pays by invoice
2026-05-10  the end
