# Support is switched on in a trial for nothing, paid for while it is on, and given back for the days that are left
product pro: 50.00 every 30 days, trial of 10 days for 1.00 with payment expected
component support: switch, 45.00
component backups: switch, 30.00

2026-02-01  sign up ada to pro with card 1, taking 1 backups
2026-02-03  allocate ada 1 support, full-price-attempt-capture
2026-02-21  allocate ada 0 support and 0 backups, no-prorate, prorate down "Both off"
2026-02-26  allocate ada 1 support, prorate-attempt-capture "Credit first"
2026-03-14  allocate ada 2 support
2026-04-20  the end
