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
const defaultOfColumn = `
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
  coalesce(${defaultOfColumn}, case when a.attgenerated = '' then pg_get_expr(t.typdefaultbin, 0) end) as "defaultSql",
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
  coalesce(${defaultOfColumn}, case when a.attgenerated = '' then pg_get_expr(t.typdefaultbin, 0) end) as "defaultSql",
  a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'f', 'p')
  and (a.atthasdef or a.attidentity <> '' or t.typdefaultbin is not null)
  and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;
