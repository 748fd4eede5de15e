/** A unique key of a relation, by column numbers. */
export interface KeyRow {
  readonly relation: number;
  readonly isPrimary: boolean;
  /** Declared as a constraint, not only as an index. Only a constraint makes a relationship one-to-one. */
  readonly isConstraint: boolean;
  readonly columns: readonly number[];
}

/** Unique keys of all relations, because a view may refer to a table in a schema that is not exposed. */
export const keyRowsSql = `
select i.indrelid::int8 as "relation", i.indisprimary as "isPrimary",
  exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid
    and k.contype in ('p', 'u')) as "isConstraint",
  (select json_agg(i.indkey[place] order by place) from generate_series(0, i.indnkeyatts - 1) as place) as "columns"
from pg_index i join pg_class c on c.oid = i.indrelid
where i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
order by i.indrelid, i.indisprimary desc, i.indexrelid`;

/** A foreign key, by numbers of relations and columns. */
export interface ForeignKeyRow {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly columns: readonly number[];
  readonly targets: readonly number[];
}

/** Foreign keys of all relations, without those that partitions inherit and those that reference partitions. */
export const foreignKeyRowsSql = `
select k.conname as "name", k.conrelid::int8 as "from", k.confrelid::int8 as "to",
  array_to_json(k.conkey) as "columns", array_to_json(k.confkey) as "targets"
from pg_constraint k where k.contype = 'f' and k.conparentid = 0 order by k.conrelid, k.conname`;
