# Month ends come back: the 31st and the 30th are counted from the first day, through a February of 28 days and one of 29
product pro: 10.00 every month

2027-01-31 23:59:59  sign up ada to pro with card 1
2027-12-30           sign up grace to pro with card 1
2028-04-30 23:59:59  the end
