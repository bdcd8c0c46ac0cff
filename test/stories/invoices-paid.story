# Invoices are paid one by one or oldest first; what is too much is in credit and lowers the next period's invoice, not that of a charge by hand
product basic: 40.00 every month, taxable
tax MA Tax: 6.25% in US-MA
component users: quantity, 15.00
coupon HALF: 50% off for 2 periods

2026-11-01  sign up ada to basic without a card, by invoice, living in US-MA
2026-11-02  invoice 1 of ada is paid 0.00 "Nothing yet"
2026-11-03  invoice 1 of ada is paid 47.50 "Cheque, 5.00 too much"
2026-11-04  invoice 1 of ada is paid 1.00 "Once more"
2026-11-15  sign up grace to basic without a card, by invoice, coupon HALF
2026-11-20  allocate grace 2 users, prorate-attempt-capture
2026-11-25  allocate grace 1 users, prorate down
2026-12-10  charge ada 50.00 "Training"
2026-12-11  charge ada 3.00 "Paper", with the renewal
2026-12-20  payment of ada 60.00 "Pays the second invoice and a part of the third"
2026-12-20  allocate grace 3 users, prorate-delay-capture
2027-01-05  invoice 2 of ada is credited 1.00 "It is paid"
2027-01-06  invoice 4 of ada is charged 2.00 "Stamps"
2027-01-07  invoice 4 of ada is credited 10.00 "Sorry"
2027-01-08  adjust ada by -100.00 "Oldest first"
2027-01-20  invoice 3 of grace is archived
2027-01-21  invoice 3 of grace is paid 1.00 "Too late"
2027-01-22  payment of grace 500.00 "All and more"
2027-02-20  the end
