import type { Column, Relation, Representation, QualifiedName } from './catalog.ts';
import type { ViewColumns } from './relationships.ts';

/** Rows of the system catalog that describe relations, by their numbers. */
export interface RelationRows {
  readonly relations: readonly RelationRow[];
  readonly columns: readonly ColumnRow[];
  readonly defaults: readonly DefaultRow[];
  readonly keys: readonly KeyRow[];
  readonly representations: ReadonlyMap<number, Representation>;
  readonly views: ViewColumns;
}

type ColumnDefault = Pick<ColumnRow, 'defaultSql' | 'isGenerated'>;

/** Builds relations with columns and keys. Views get the keys of their base tables. */
export function makeRelations(input: RelationRows): Relation[] {
  const columns = Map.groupBy(input.columns, ({ relation }) => relation);
  const keys = Map.groupBy(input.keys, ({ relation }) => relation);
  const defaults = new Map(input.defaults.map((row) => [`${row.relation}.${row.number}`, row]));
  return input.relations.map(({ oid, ...relation }) => {
    const rows = columns.get(oid) ?? [];
    const names = new Map(rows.map(({ number, name }) => [number, name]));
    const columnKeys = input.views.has(oid) ? getViewKeys(oid, keys, input.views) : (keys.get(oid) ?? []);
    const named = columnKeys.map((key) => ({
      ...key,
      names: key.columns.map((number) => names.get(number) ?? ''),
    }));
    return {
      ...relation,
      columns: rows.map((row) =>
        makeColumn(row, storedDefault(row, input.views, defaults), input.representations),
      ),
      primaryKey: named.filter(({ isPrimary }) => isPrimary).flatMap((key) => key.names),
      uniqueKeys: named.filter(({ isPrimary }) => !isPrimary).map((key) => key.names),
    };
  });
}

function makeColumn(
  row: ColumnRow,
  { defaultSql, isGenerated }: ColumnDefault,
  representations: ReadonlyMap<number, Representation>,
): Column {
  const representation = representations.get(row.type);
  return {
    name: row.name,
    typeSql: row.typeSql,
    baseTypeSql: row.baseTypeSql,
    isNullable: row.isNullable,
    defaultSql,
    isGenerated,
    maxLength: row.maxLength,
    enumValues: row.enumValues ?? [],
    comment: row.comment,
    comparedAs: row.comparedAs,
    ...(representation === undefined ? {} : { representation }),
  };
}

/** Returns the stored default. An updatable view uses the default of its base table unless it has its own. */
function storedDefault(
  row: ColumnRow,
  views: ViewColumns,
  defaults: ReadonlyMap<string, ColumnDefault>,
): ColumnDefault {
  const origin = views.get(row.relation)?.find(({ column }) => column === row.number);
  if (row.defaultSql !== null || origin === undefined) return row;
  return defaults.get(`${origin.table}.${origin.tableColumn}`) ?? row;
}

/** Returns the keys of base tables of which a view exposes all columns. */
function getViewKeys(
  view: number,
  keys: ReadonlyMap<number, readonly KeyRow[]>,
  views: ViewColumns,
): KeyRow[] {
  const origins = views.get(view) ?? [];
  const tables = [...new Set(origins.map(({ table }) => table))];
  return tables.flatMap((table) =>
    (keys.get(table) ?? []).flatMap((key) => {
      const shown = key.columns.map(
        (number) => origins.find((origin) => origin.table === table && origin.tableColumn === number)?.column,
      );
      return shown.every((column) => column !== undefined)
        ? [{ ...key, relation: view, columns: shown }]
        : [];
    }),
  );
}

/** An exposed relation that returns columns of a table: the table itself or a view. */
interface ExposedRelation {
  readonly relation: QualifiedName;
  /** Names of each table column in this relation, by column number. */
  readonly names: ReadonlyMap<number, readonly string[]>;
}

/** Exposed relations that return columns of a table, by table number. */
export type ExposedRelations = ReadonlyMap<number, readonly ExposedRelation[]>;

/** Maximum number of column combinations per view. A view that repeats columns could have very many. */
const maxColumnPaths = 16;

export function collectExposedRelations(
  relations: readonly RelationRow[],
  columns: readonly ColumnRow[],
  views: ViewColumns,
): ExposedRelations {
  const columnsByRelation = Map.groupBy(columns, ({ relation }) => relation);
  const faces = new Map<number, ExposedRelation[]>();
  for (const { oid, schema, name } of relations) {
    const relationColumns = columnsByRelation.get(oid) ?? [];
    const names = new Map(relationColumns.map((column) => [column.number, column.name]));
    const shown =
      views.get(oid) ??
      relationColumns.map(({ number }) => ({ column: number, table: oid, tableColumn: number }));
    for (const [table, origins] of Map.groupBy(shown, (origin) => origin.table)) {
      const byNumber = Map.groupBy(origins, ({ tableColumn }) => tableColumn);
      const face: ExposedRelation = {
        relation: { schema, name },
        names: new Map(
          [...byNumber].map(([number, all]) => [number, all.map(({ column }) => names.get(column)!)]),
        ),
      };
      const known = faces.get(table);
      if (known === undefined) faces.set(table, [face]);
      else known.push(face);
    }
  }
  return faces;
}

/** Returns each combination of names under which a relation returns all of the columns; empty if one is missing. */
export function columnPaths(
  face: ExposedRelation,
  columns: readonly number[],
): readonly (readonly string[])[] {
  let ways: (readonly string[])[] = [[]];
  for (const column of columns) {
    const names = face.names.get(column) ?? [];
    ways = ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, maxColumnPaths);
  }
  return ways;
}

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

/** A row of {@link columnRowsSql}. */
export interface ColumnRow {
  readonly relation: number;
  readonly number: number;
  readonly name: string;
  readonly type: number;
  readonly typeSql: string;
  readonly baseTypeSql: string;
  readonly isNullable: boolean;
  readonly defaultSql: string | null;
  readonly isGenerated: boolean;
  readonly maxLength: number | null;
  readonly enumValues: readonly string[] | null;
  readonly comment: string | null;
  readonly comparedAs: string | null;
}

/**
 * Base type of each domain with its type modifier, and whether any domain in the chain is NOT NULL. A domain over a
 * domain inherits its default, but not its modifier.
 */
export const domainBases = `
chain as (
  select t.oid as domain, t.typbasetype as type, t.typtypmod as typmod, t.typnotnull as forbids_null
  from pg_type t where t.typtype = 'd'
  union all
  select chain.domain, t.typbasetype, t.typtypmod, t.typnotnull or chain.forbids_null
  from chain join pg_type t on t.oid = chain.type where t.typtype = 'd'
), domain_base as (
  select chain.* from chain join pg_type t on t.oid = chain.type where t.typtype <> 'd'
)`;

/** SQL default of column `a` (with its pg_attrdef row `d`); for identity columns, the next number. */
const columnDefaultSql = `
case when a.attidentity <> '' then
    format('nextval(%L::regclass)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
  when a.attgenerated <> '' then null
  else pg_get_expr(d.adbin, d.adrelid) end`;

/**
 * Columns of all relations in the schemas `$1` (a JSON array). Run it with an empty search path, so that type names
 * are qualified.
 */
export const columnRowsSql = `
with recursive ${domainBases}
select a.attrelid::int8 as "relation", a.attnum as "number", a.attname as "name", a.atttypid::int8 as "type",
  format_type(a.atttypid, a.atttypmod) as "typeSql", format_type(b.oid, -1) as "baseTypeSql",
  not (a.attnotnull or coalesce(base.forbids_null, false)) as "isNullable",
  coalesce(${columnDefaultSql}, case when a.attgenerated = '' then pg_get_expr(t.typdefaultbin, 0) end) as "defaultSql",
  a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated",
  case when b.oid in ('varchar'::regtype, 'bpchar'::regtype) and coalesce(base.typmod, a.atttypmod) > 4
      then coalesce(base.typmod, a.atttypmod) - 4
    when b.oid in ('bit'::regtype, 'varbit'::regtype) and coalesce(base.typmod, a.atttypmod) > 0
      then coalesce(base.typmod, a.atttypmod) end as "maxLength",
  (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = b.oid) as "enumValues",
  case when base.type is not null and b.typtype = 'e' then format_type(b.oid, -1) end as "comparedAs",
  col_description(a.attrelid, a.attnum) as "comment"
from pg_attribute a
  join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join domain_base base on base.domain = t.oid
  join pg_type b on b.oid = coalesce(base.type, t.oid)
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped
  and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname in (select json_array_elements_text($1::json))
order by a.attrelid, a.attnum`;

/** Column default of a table in any schema. A view without a default of its own uses it. */
export interface DefaultRow {
  readonly relation: number;
  readonly number: number;
  readonly defaultSql: string | null;
  readonly isGenerated: boolean;
}

export const defaultRowsSql = `
select a.attrelid::int8 as "relation", a.attnum as "number",
  coalesce(${columnDefaultSql}, case when a.attgenerated = '' then pg_get_expr(t.typdefaultbin, 0) end) as "defaultSql",
  a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'f', 'p')
  and (a.atthasdef or a.attidentity <> '' or t.typdefaultbin is not null)
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

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
