-- Which subscriptions have, or once had, something on their open statement in the middle of a period: lists of bills look for those and
-- for what is collected just now. An index on the total itself would make every renewal write into all indexes of its subscription.

create table gathering_subscriptions (
  site_id bigint not null,
  subscription_id bigint not null,
  primary key (site_id, subscription_id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id)
);
insert into gathering_subscriptions (site_id, subscription_id)
select site_id, id from subscriptions where open_statement_total_in_cents <> 0;
drop index subscriptions_gathering;
