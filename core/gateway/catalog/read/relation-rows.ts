import type { Relation } from '../catalog.ts';

/** A row of {@link relationRowsSql}. */
export interface RelationRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: Relation['kind'];
  readonly isInsertable: boolean;
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
  readonly comment: string | null;
}

/**
 * Relations in the schemas `$1` (a JSON array). Partitions are hidden, the partitioned table is included. PostgreSQL
 * reports which writes a view supports (including INSTEAD OF triggers) as bits: 4 update, 8 insert, 16 delete.
 */
export const relationRowsSql = `
select c.oid::int8 as "oid", n.nspname as "schema", c.relname as "name",
  case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
    when 'p' then 'partitioned table' else 'table' end as "kind",
  (pg_relation_is_updatable(c.oid, true) & 8) = 8 as "isInsertable",
  (pg_relation_is_updatable(c.oid, true) & 4) = 4 as "isUpdatable",
  (pg_relation_is_updatable(c.oid, true) & 16) = 16 as "isDeletable",
  obj_description(c.oid, 'pg_class') as "comment"
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname in (select json_array_elements_text($1::json))
order by n.nspname, c.relname`;
