# A coupon that may leave a credit writes its whole amount, and the credit pays for what comes next
product pro: 50.00 every month, taxable
coupon GIFT: 120.00 off once, leaves a credit
coupon LESS: 120.00 off once
tax VAT: 20% in GB

2026-01-15  sign up ada to pro with card 1, coupon GIFT, living in GB
2026-01-15  sign up grace to pro with card 1, coupon LESS, living in GB
2026-04-15  the end
