# Cancelling again keeps the first moment and replaces the message, or clears it
product pro: 50.00 every month

2026-01-20  sign up ada to pro with card 1
2026-01-20  sign up grace to pro with card 1
2026-02-25  cancel ada "Too dear"
2026-02-25  cancel grace "Too dear"
2026-02-27  cancel ada "Far too dear"
2026-02-27  cancel grace
2026-05-01  the end
