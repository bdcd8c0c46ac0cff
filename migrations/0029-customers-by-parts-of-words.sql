-- Customers are found by what stands inside their words, not only by how these begin. The text is that of the column `search`.

create extension if not exists pg_trgm;
create index customers_by_parts_of_words on customers using gin ((
  first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(organization, '') || ' ' || coalesce(reference, '')
) gin_trgm_ops) where deleted_at is null;
