# Prices down to the eighth decimal add up exactly and are rounded once a line
product pro: 1.00 every month
component calls: metered, 0.00000065
component boxes: quantity, tiered, 1 to 10 at 0.12345678, from 11 at 0.00000001

2026-01-01  sign up ada to pro with card 1, taking 11 boxes
2026-01-01  sign up grace to pro with card 1, taking 10 boxes
2026-01-10  use ada 7692 calls
2026-01-10  use grace 7693 calls
2026-01-11  allocate grace 1000010 boxes, full-price-delay-capture
2026-02-10  use ada 1000000000 calls
2026-03-02  the end
