# A trial that obliged to nothing and ends with a declined card is unpaid at once; there is no dunning
product try: 20.00 every month, trial of 10 days without obligation

2026-03-01  sign up ada to try with card 2
2026-04-15  the end
