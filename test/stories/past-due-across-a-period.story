# A period that ends while past due is one attempt on the whole balance: it counts, and moves the next retry; a retry due at the same moment is that attempt
dunning: 5 attempts, 72 hours apart, then cancel
product weekly: 7.00 every 7 days
product threedays: 3.00 every 3 days

2026-03-01  sign up ada to weekly with card 1
2026-03-01  sign up grace to threedays with card 1
2026-03-02  card of ada declines
2026-03-02  card of grace declines
2026-03-16  card of ada recovers
2026-04-01  the end
