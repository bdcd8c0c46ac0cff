# Who is exempt pays no tax; a VAT number opts out in another member country, but not in the merchant's own
merchant in FR
product basic: 20.00 every month, taxable
product book: 20.00 every month
tax TVA: 20% in FR
tax USt: 19% in DE
tax CO Tax: 8.845% in US-CO

2026-01-01  sign up ada to basic with card 1, living in DE
2026-01-01  sign up grace to basic with card 1, living in DE, VAT number DE123456789
2026-01-01  sign up alan to basic with card 1, living in FR, VAT number FR12345678901
2026-01-01  sign up mary to basic with card 1, living in FR, exempt
2026-01-01  sign up joan to basic with card 1, living in US-CO
2026-01-01  sign up emmy to book with card 1, living in DE
2026-02-01  the end
