# A trial ends at once, without a charge, when its product gives way to one without a trial; the billing date stays until it is moved
product trial: 10.00 every month, trial of 7 days with payment expected
product basic: 40.00 every month

2016-10-24 16:20:12  sign up ada to trial with card 1
2016-10-24 16:20:43  change ada to basic
2016-10-24 16:21:11  bill ada next 2016-10-24 16:21:12
2016-11-16 14:46:48  cancel ada
2016-11-16 14:46:48  reactivate ada
2016-12-20           the end
