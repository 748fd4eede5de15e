import type { GatewayDatabase, Statement } from '../../store/sql/database.ts';
import type { Role, RoleSettings } from './catalog.ts';

/** Returns a statement that returns its rows as one JSON string. A query that uses `$1` gets the schemas. */
export function asJson(sql: string, schemas: readonly string[]): Statement {
  const text = `select coalesce(json_agg(found), '[]')::text from (${sql}) as found`;
  return { text, values: sql.includes('$1') ? [JSON.stringify(schemas)] : [] };
}

/** Queries the system catalog in one snapshot. Names outside pg_catalog are qualified. */
export async function readRows(
  database: GatewayDatabase,
  statements: readonly Statement[],
): Promise<readonly unknown[]> {
  const [, ...results] = await database.transact({
    isReadOnly: true,
    isolation: 'repeatable read',
    statements: [{ text: "select set_config('search_path', '', true)", values: [] }, ...statements],
  });
  return results.map(({ rows }) => JSON.parse(rows[0]?.[0] ?? '[]') as unknown);
}

export const rolesSql = `
select rolname as "name", rolsuper as "isSuperuser", rolreplication as "isReplication" from pg_roles`;

/**
 * Reads a role that the catalog lacks, because no event trigger reports CREATE ROLE. The parameter is text, because
 * type `name` would truncate longer strings.
 */
export async function readRole(database: GatewayDatabase, name: string): Promise<Role | undefined> {
  const { text } = asJson(`${rolesSql} where rolname::text = $1::text`, []);
  const [rows] = await readRows(database, [{ text, values: [name] }]);
  return (rows as readonly Role[])[0];
}

/** One `ALTER ROLE … SET`. */
export interface RoleRow {
  readonly role: string;
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/**
 * Settings of roles that the connecting role can assume, first for all databases, then for this one. PostgreSQL
 * applies these settings at login, not at SET ROLE. Contains only settings that the connecting role may change.
 */
export const roleSettingRowsSql = `
select r.rolname as "role", lower(one.name) as "name", one.value
from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
  cross join unnest(s.setconfig) as config (text)
  cross join lateral (
    select left(config.text, strpos(config.text, '=') - 1) as name, substr(config.text, strpos(config.text, '=') + 1) as value
  ) as one
  left join pg_settings known on lower(known.name) = lower(one.name)
where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
  and pg_has_role(r.oid, 'member')
  and (known.context = 'user' or known.context is null and strpos(one.name, '.') > 0
    or known.context = 'superuser' and (select rolsuper from pg_roles where rolname = current_user))
order by r.rolname, s.setdatabase <> 0`;

/** Settings that every request sets itself, or that must not be changed. */
const requestSettings = new Set(['search_path', 'role', 'session_authorization']);

/** Groups the settings by role. */
export function collectRoleSettings(rows: readonly RoleRow[]): ReadonlyMap<string, RoleSettings> {
  const byRole = Map.groupBy(rows, ({ role }) => role);
  return new Map([...byRole].map(([role, roleRows]) => [role, toSettings(roleRows)]));
}

function toSettings(rows: readonly RoleRow[]): RoleSettings {
  const all = new Map(rows.map(({ name, value }) => [name, value]));
  const isolation = all.get('default_transaction_isolation');
  const timeoutMs = readMilliseconds(all.get('statement_timeout'));
  const settings = [...all].flatMap(([name, value]): [string, string][] => {
    // Transaction defaults have no effect once a transaction has started. A read-only transaction cannot be made
    // read-write.
    if (name === 'default_transaction_read_only')
      return isTruthySetting(value) ? [['transaction_read_only', 'on']] : [];
    return requestSettings.has(name) || name.startsWith('default_transaction_') ? [] : [[name, value]];
  });
  return {
    settings,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...((isolation === 'repeatable read' || isolation === 'serializable') && { isolation }),
  };
}

const isTruthySetting = (value: string): boolean => /^(on|true|yes|1)$/i.test(value);

const units: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses a PostgreSQL duration: milliseconds, or a number with a unit. */
function readMilliseconds(text = ''): number | undefined {
  const [, number, unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?\s*$/.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * units[unit]!);
}

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
    (a, b) => order.indexOf(a.schema) - order.indexOf(b.schema),
  )) {
    add(name, sql);
    add(sql, sql);
    add(`${schema}.${name}`, sql);
  }
  return found;
}
