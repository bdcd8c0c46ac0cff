# A free trial is no use of a coupon, a paid one is
product free: 50.00 every month, trial of 14 days with payment expected
product paid: 50.00 every month, trial of 14 days for 4.00 with payment expected
coupon ONCE: 25% off once

2026-01-01  sign up ada to free with card 1, coupon ONCE
2026-01-01  sign up grace to paid with card 1, coupon ONCE
2026-01-01  sign up alan to free with card 1, billed next 2026-02-01, coupon ONCE
2026-02-15  the end
