-- A coupon takes off any part of a percent that can be written with eight decimals.
alter table coupons
  drop constraint a_percentage_is_a_percentage,
  add constraint a_percentage_is_a_percentage check (percentage > 0 and percentage <= 100);
