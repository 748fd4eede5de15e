/**
 * How many items of a step with `parallel` had succeeded in earlier attempts when one of a retry started. For SQLite and
 * PostgreSQL. Never edit a released migration; add a new one.
 */
export const reusedItemsSql = 'ALTER TABLE step_item ADD COLUMN reused INTEGER;';
export const reusedItemsServerSql = 'ALTER TABLE step_item ADD COLUMN reused bigint;';
