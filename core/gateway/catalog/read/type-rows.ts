/** A type that a request may cast to. */
export interface TypeRow {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
}

/** Types of pg_catalog and of the schemas `$1` (a JSON array), without arrays, pseudo-types and row types. */
export const typeRowsSql = `
select n.nspname as "schema", t.typname as "name", format_type(t.oid, -1) as "sql"
from pg_type t join pg_namespace n on n.oid = t.typnamespace
where t.typtype in ('b', 'd', 'e', 'r', 'm') and not (t.typelem <> 0 and t.typlen = -1 and t.typcategory = 'A')
  and (n.nspname = 'pg_catalog' or n.nspname in (select json_array_elements_text($1::json)))
order by n.nspname, t.typname`;

/** SQL type names that the system catalog does not list. */
const otherNames: Readonly<Record<string, string>> = {
  char: 'character',
  'char varying': 'character varying',
  int: 'integer',
  decimal: 'numeric',
  dec: 'numeric',
  float: 'double precision',
  bit: 'bit',
  timestamp: 'timestamp without time zone',
  time: 'time without time zone',
};

/** Maps type names (catalog name, printed name, schema-qualified name) to SQL. Earlier schemas win. */
export function collectTypes(rows: readonly TypeRow[], schemas: readonly string[]): Map<string, string> {
  const order = ['pg_catalog', ...schemas];
  const found = new Map(Object.entries(otherNames));
  const add = (name: string, sql: string): void => {
    if (!found.has(name)) found.set(name, sql);
  };
  for (const { schema, name, sql } of rows.toSorted(
    (left, right) => order.indexOf(left.schema) - order.indexOf(right.schema),
  )) {
    add(name, sql);
    add(sql, sql);
    add(`${schema}.${name}`, sql);
  }
  return found;
}
