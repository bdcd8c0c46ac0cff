# Half off for two periods, the sign-up among them, and tax on what remains; then the coupon stays without effect
product basic: 30.00 every month, setup fee 10.01, taxable
coupon HALF: 50% off for 2 periods
tax PA Sales Tax: 6.25% in US-PA

2026-01-31  sign up ada to basic with card 1, coupon half, living in US-PA
2026-03-31  the end
