import type { Statement, StatementResult } from '../database/database.ts';

/** Privileges of a role on a relation. */
export interface RelationAccess {
  readonly canSelect: boolean;
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
  /** Columns that the role may read or write. */
  readonly columns: readonly string[];
}

/** Privileges of a role in a schema, by name. Missing objects are not accessible. */
export interface SchemaAccess {
  readonly relations: Readonly<Record<string, RelationAccess>>;
  readonly routines: readonly string[];
  /** The schema comment; its first line is the title. */
  readonly comment: string | null;
}

/**
 * Returns a statement that reads the current role's privileges in a schema. Run it in the transaction after the role
 * is set. Returns one row with one JSON string.
 */
export const privilegesStatement = (schema: string): Statement => ({
  values: [schema],
  text: `
select json_build_object(
  'comment', (select obj_description(oid, 'pg_namespace') from pg_catalog.pg_namespace where nspname = $1),
  'relations', (
    select coalesce(json_object_agg(relname, json_build_object(
      'canSelect', pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
      'canInsert', pg_catalog.has_any_column_privilege(c.oid, 'INSERT'),
      'canUpdate', pg_catalog.has_any_column_privilege(c.oid, 'UPDATE'),
      'canDelete', pg_catalog.has_table_privilege(c.oid, 'DELETE'),
      'columns', (
        select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE')))), '{}')
    from pg_catalog.pg_class c
    where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
      and (pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE')
        or pg_catalog.has_table_privilege(c.oid, 'DELETE'))),
  'routines', (
    select coalesce(json_agg(distinct p.proname), '[]') from pg_catalog.pg_proc p
    where p.pronamespace = n.oid and pg_catalog.has_function_privilege(p.oid, 'EXECUTE')))::text
from (
  select oid from pg_catalog.pg_namespace where nspname = $1 and pg_catalog.has_schema_privilege(oid, 'USAGE')
  union all select 0 limit 1
) as n`,
});

/** Parses the result of {@link privilegesStatement}. */
export const readPrivileges = ({ rows }: StatementResult): SchemaAccess =>
  JSON.parse(rows[0]?.[0] ?? '{"relations":{},"routines":[],"comment":null}') as SchemaAccess;
