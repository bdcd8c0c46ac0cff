# A migration whose payment fails changes nothing but the failed payment; what came too late stays as credit
product silver: 99.00 every month
product gold: 900.00 every month
2026-06-01  sign up ada to silver with card 1
2026-06-01  sign up grace to silver with card 1
2026-06-01  sign up alan to silver without a card, by invoice
2026-06-16  card of ada declines
2026-06-16  migrate ada to gold
2026-06-17  card of ada goes wrong
2026-06-17  migrate ada to gold
2026-06-18  card of ada recovers
2026-06-18  cancel ada while the gateway is asked next
2026-06-18  migrate ada to gold
2026-06-19  gateway falls silent
2026-06-19  migrate grace to gold
2026-06-19 00:10  migrate grace to gold
2026-06-19 01:00  gateway recovers
2026-06-20  migrate alan to gold
2026-07-25  so far
