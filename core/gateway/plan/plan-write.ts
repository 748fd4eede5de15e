import type { Column, Relation } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Query, Preferences, Condition } from '../query/query.ts';
import { conditionsSql } from './filter.ts';
import type { Plan, DeleteRequest, PlanRequest, WriteRequest } from './request.ts';
import { directSource } from './select-node.ts';
import { bind, join, identifier, type Sql, sql } from './sql.ts';
import { readRows, type RowSource, planWrite } from './written-rows.ts';

/**
 * Plans POST of a relation: all rows of the body in one statement, with `Prefer: resolution` an upsert.
 * @throws GatewayError PGRST204 for keys that are not columns, and errors of the selection
 */
export function planInsert(request: WriteRequest): Plan {
  const { relation, query, body, preferences } = request;
  const rows = readRows(request);
  const conflict = resolveConflicts(relation, rows.columns, query, preferences);
  const selected =
    rows.columns.length === 0
      ? sql`SELECT FROM generate_series(1, ${bind(String(body.count))}::int)`
      : sql`SELECT ${join(rows.values, ', ')} FROM ${rows.from}`;
  const statement = sql`${insertInto(relation, rows.columns)} ${selected}${conflict?.clause ?? sql``}`;
  return planWrite(request, statement, {
    writtenAs: insertName(relation),
    ...(conflict && { inserted: conflict.inserted }),
    hasKey: preferences.return === 'headers-only',
  });
}

/**
 * Plans PUT of a relation: inserts or replaces the row with a key. The database compares the key in the body;
 * if it differs, no row is written.
 * @throws GatewayError PGRST105 and PGRST114 if the query does not identify one row, PGRST102 if the body is not a
 * single object
 */
export function planPut(request: WriteRequest): Plan {
  const { relation, query, body } = request;
  assertNoBounds(query, 'PUT');
  const keys = keyConditions(relation, query);
  if (body.count !== 1) {
    throw new GatewayError(
      400,
      'PGRST102',
      `PUT requires exactly one object, but the body has ${body.count}`,
    );
  }
  const rows = readRows(request);
  const missing = relation.primaryKey.find((key) => !rows.columns.some((column) => column.name === key));
  if (missing !== undefined) {
    throw new GatewayError(
      400,
      'PGRST115',
      `The body lacks '${missing}', which is part of the primary key in the URL`,
    );
  }
  const source = directSource(bodyRows, relation);
  const conditions = conditionsSql({ catalog: request.catalog, source, findEmbedded: () => undefined }, keys);
  const bodyColumns = rows.columns.map((column) => identifier(bodyRows, column.name));
  const selected = sql`SELECT ${join(bodyColumns, ', ')} FROM ${subquery(rows)} WHERE ${join(conditions, ' AND ')}`;
  const conflict = mergeRows(relation.primaryKey, rows.columns);
  const statement = sql`${insertInto(relation, rows.columns)} ${selected}${conflict.clause}`;
  return planWrite(request, statement, { writtenAs: insertName(relation), inserted: conflict.inserted });
}

/**
 * Plans PATCH of a relation: the same change for all filtered rows. An empty object changes nothing.
 * @throws GatewayError STEP001 without filters, PGRST102 for several objects, PGRST204 for keys that are not columns
 */
export function planUpdate(request: WriteRequest): Plan {
  const { relation, body, query } = request;
  assertNoBounds(query, 'PATCH');
  assertFiltered(request, 'PATCH');
  if (body.count > 1) {
    throw new GatewayError(
      400,
      'PGRST102',
      `PATCH requires a single object, but the body has ${body.count}`,
      {
        hint: 'To update rows with different values, use POST with Prefer: resolution=merge-duplicates.',
      },
    );
  }
  const rows = readRows(request);
  if (rows.columns.length === 0 || body.count === 0) {
    // No row is written, and no trigger runs.
    return planWrite(request, sql`FROM ${toTable(relation)} WHERE FALSE`, { isQuery: true });
  }
  // Defaults are evaluated per row; a body is converted once.
  const isFilled = request.preferences.missing === 'default';
  const set = rows.columns.map((column, index) => {
    const value = isFilled ? rows.values[index] : identifier(bodyRows, column.name);
    return sql`${identifier(column.name)} = ${value ?? sql``}`;
  });
  const from = isFilled ? rows.from : subquery(rows);
  const statement = sql`UPDATE ${toTable(relation)} SET ${join(set, ', ')} FROM ${from}${toWhere(request)}`;
  return planWrite(request, statement);
}

/**
 * Plans DELETE of a relation: all filtered rows.
 * @throws GatewayError STEP001 without filters
 */
export function planDelete(request: DeleteRequest): Plan {
  assertNoBounds(request.query, 'DELETE');
  assertFiltered(request, 'DELETE');
  return planWrite(request, sql`DELETE FROM ${toTable(request.relation)}${toWhere(request)}`);
}

/** Rows of the body. Contains a space, because a relation may be called `given`. */
const bodyRows = 'given rows';

function subquery({ columns, values, from }: RowSource): Sql {
  const list = columns.map((column, index) => sql`${values[index] ?? sql``} AS ${identifier(column.name)}`);
  return sql`(SELECT ${join(list, ', ')} FROM ${from}) AS ${identifier(bodyRows)}`;
}

/** Returns the table under its own name, so that PostgreSQL messages are readable. */
const toTable = (relation: Relation, alias = relation.name): Sql =>
  sql`${identifier(relation.schema, relation.name)} AS ${identifier(alias)}`;

/** Returns the alias of the inserted relation; `excluded` has a special meaning there. */
const insertName = ({ name: relationName }: Relation): string =>
  relationName === 'excluded' ? 'excluded relation' : relationName;

function insertInto(relation: Relation, columns: readonly Column[]): Sql {
  const table = toTable(relation, insertName(relation));
  if (columns.length === 0) return sql`INSERT INTO ${table}`;
  const list = columns.map((column) => identifier(column.name));
  return sql`INSERT INTO ${table} (${join(list, ', ')})`;
}

function toWhere({ catalog, relation, query }: DeleteRequest): Sql {
  const source = directSource(relation.name, relation);
  const conditions = conditionsSql({ catalog, source, findEmbedded: () => undefined }, query.root.conditions);
  return conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`;
}

/** Rejects `limit` and `offset`. Ignoring a limit would write more rows than intended. */
function assertNoBounds({ root }: Query, method: string): void {
  if (root.limit === undefined && root.offset === undefined) return;
  throw new GatewayError(400, 'PGRST114', `limit and offset are not allowed for ${method}`, {
    hint: 'Select the rows with filters.',
  });
}

/** Rejects writes without filters, which would affect the whole table (PostgREST allows them). */
function assertFiltered({ query, settings, preferences }: PlanRequest, method: string): void {
  if (query.root.conditions.length > 0 || settings.allowsUnfiltered) return;
  if (preferences.unfiltered === 'allow') return;
  throw new GatewayError(400, 'STEP001', `${method} without filters would affect all rows`, {
    hint:
      'Add a filter such as id=eq.1, send Prefer: unfiltered=allow, or set gateway.allowUnfiltered ' +
      '(ENGINE_GATEWAY_ALLOW_UNFILTERED).',
  });
}

/** Handling of existing rows. */
export interface Conflict {
  /** ` ON CONFLICT …`, or nothing. */
  readonly clause: Sql;
  /** Number of inserted rows, as text. */
  readonly inserted: Sql;
}

/** Counter of existing rows in a transaction-local setting, incremented for each updated row. */
const setting = sql`'stepwright.updated'`;
const updated = sql`coalesce(nullif(current_setting(${setting}, TRUE), ''), '0')::int`;
const countsUpdate = sql`set_config(${setting}, (${updated} + 1)::text, TRUE) IS NOT NULL`;

const countRows = sql`(SELECT count(*) FROM "written")`;

/** Applies `Prefer: resolution=…`, which is ignored if there is no key. */
function resolveConflicts(
  relation: Relation,
  columns: readonly Column[],
  query: Query,
  preferences: Preferences,
): Conflict | undefined {
  const key = query.onConflict ?? relation.primaryKey;
  if (preferences.resolution === undefined || key.length === 0) return undefined;
  return preferences.resolution === 'merge-duplicates' && columns.length > 0
    ? mergeRows(key, columns)
    : {
        clause: sql` ON CONFLICT (${join(
          key.map((one) => identifier(one)),
          ', ',
        )}) DO NOTHING`,
        inserted: sql`${countRows}::text`,
      };
}

/** Updates existing rows. The condition counts each and is always true. */
function mergeRows(key: readonly string[], columns: readonly Column[]): Conflict {
  const compared = join(
    key.map((one) => identifier(one)),
    ', ',
  );
  const set = columns.map(
    (column) => sql`${identifier(column.name)} = ${identifier('excluded', column.name)}`,
  );
  return {
    clause: sql` ON CONFLICT (${compared}) DO UPDATE SET ${join(set, ', ')} WHERE ${countsUpdate}`,
    inserted: sql`(${countRows} - ${updated})::text`,
  };
}

/**
 * Returns the filters of a PUT.
 * @throws GatewayError PGRST105 unless each primary key column is filtered once by `eq`, and nothing else
 */
function keyConditions(relation: Relation, query: Query): readonly Condition[] {
  const { conditions } = query.root;
  const named = conditions.map(getKey);
  const isKey =
    relation.primaryKey.length > 0 &&
    named.length === relation.primaryKey.length &&
    relation.primaryKey.every((column) => named.includes(column));
  if (isKey) return conditions;
  const filters = relation.primaryKey.map((column) => `${column}=eq.…`).join('&');
  throw new GatewayError(
    405,
    'PGRST105',
    "Filters must include all and only primary key columns with 'eq' operators",
    {
      hint:
        relation.primaryKey.length === 0
          ? `'${relation.name}' has no primary key, so PUT is not supported.`
          : `Use ?${filters}`,
    },
  );
}

function getKey(condition: Condition): string | undefined {
  if (condition.kind !== 'test' || condition.isNegated || condition.field.json.length > 0) return undefined;
  const { test, field } = condition;
  return test.operator === 'eq' && !('quantifier' in test) ? field.column : undefined;
}
