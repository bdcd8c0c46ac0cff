# A product of thirty days knows no months
product pro: 10.00 every 30 days

2028-01-31 06:00  sign up ada to pro with card 1
2028-05-31        the end
