# Calls: those of the trial are billed at its end, those of a month at its renewal, those taken back not at all
product pro: 50.00 every month, trial of 14 days with payment expected
component calls: metered, 0.0055
component texts: metered, stairstep, 1 to 100 at 1.00, 101 to 1000 at 5.00

2026-02-01        sign up ada to pro with card 1, taking 50 calls
2026-02-03        use ada 150 calls "Trying"
2026-02-14        use ada -100 calls "Wrong number"
2026-02-20        use ada 1000 calls
2026-02-21        use ada 100 texts
2026-02-22        use ada 1 texts
2026-02-23        use ada 900 texts
2026-03-20        use ada 10 calls
2026-03-21        use ada -30 calls
2026-05-01        use ada 400 calls
2026-05-02        cancel ada
2026-05-03        use ada 1 calls
2026-05-20        the end
