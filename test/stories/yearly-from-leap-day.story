# A year from 29 February ends on the 28th, and on the 29th when there is one again
product yearly: 500.00 every year

2028-02-29 10:00  sign up ada to yearly with card 1
2032-03-01        the end
