# Nobody knows what became of a payment: nothing more is collected until the gateway can be asked, and what fell due meanwhile is done then, in order
product pro: 50.00 every month

2026-01-10  sign up ada to pro with card 1
2026-02-01  gateway falls silent
2026-04-01  gateway recovers
2026-04-20  the end
