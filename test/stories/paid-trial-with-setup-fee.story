# A trial that costs something and a setup fee that is due at once are one payment; the fee does not come again
product pro: 49.99 every month, trial of 1 month for 9.95 with payment expected, setup fee 25.00

2026-01-31 18:00  sign up ada to pro with card 1
2026-04-15        the end
