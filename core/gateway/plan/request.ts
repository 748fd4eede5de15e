import type { Statement } from '../../store/sql/database.ts';
import type { Catalog, Relation, Routine } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat, Body, CallBody } from '../query/query.ts';
import type { OutputOptions, Output } from './select-output.ts';
import { bind, join, identifier, type Sql, sql } from './sql.ts';

/** Settings that affect planning. */
export type PlanSettings = Pick<GatewaySettings, 'maxRows' | 'allowsAggregates' | 'allowsUnfiltered'>;

/** Input of every plan. A `Range` header has been merged into limit and offset of `query.root`. */
export interface PlanRequest {
  readonly catalog: Catalog;
  readonly settings: PlanSettings;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
}

/** GET and HEAD of a relation. */
export interface ReadRequest extends PlanRequest {
  readonly relation: Relation;
  /** False for HEAD: rows are counted but not serialized. */
  readonly withBody: boolean;
}

/** DELETE of a relation. */
export interface DeleteRequest extends PlanRequest {
  readonly relation: Relation;
}

/** POST, PATCH and PUT of a relation. */
export interface WriteRequest extends DeleteRequest {
  readonly body: Body;
}

/** GET, HEAD and POST of a function. */
export interface CallRequest extends PlanRequest {
  readonly schema: string;
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** Body of a POST; an empty body is the object `{}`. */
  readonly body?: CallBody;
}

/** The plan of a call with the chosen function. `void` results in a 204 response. */
export interface CallPlan extends Plan {
  readonly routine: Routine;
}

/**
 * Statements of a request. The main statement always returns exactly one row with these text columns (an engine that
 * returns no row is broken: `gateway.md` 3, 1):
 *
 * - `body`: the response as JSON or CSV text made in the database; null if not requested
 * - `shown`: number of rows in the body; for writes, number of rows written, unless a single object is requested
 * - `total`: number of rows without limit and offset; null if not counted
 * - `inserted`: number of inserted rows of an upsert; otherwise null
 * - `key`: for `Location`: a JSON object with each primary key column as a filter accepts it (response conversion, as
 *   text); null unless exactly one row was written
 * - `headers`, `status`: values of `response.headers` and `response.status`, null if unset
 */
export interface Plan {
  readonly main: Statement;
  readonly isReadOnly: boolean;
  /** Returns the planner's estimate (`count=planned|estimated`): one row, EXPLAIN as JSON. */
  readonly explain?: Statement;
}

export const planColumns = ['body', 'shown', 'total', 'inserted', 'key', 'headers', 'status'] as const;

/** Returns the options that apply to all selected output. */
export const outputOptions = ({ catalog, settings, format }: PlanRequest): OutputOptions => ({
  catalog,
  allowsAggregates: settings.allowsAggregates,
  listsColumns: format.kind === 'csv',
});

/** Columns by number, because two may have the same name. */
const column = (index: number): string => `c${index}`;

/**
 * Returns rows with known columns. Each value is as PostgreSQL prints it; JSON strings are unquoted, so that a
 * represented column contains its value, not JSON (PostgREST quotes it twice).
 */
function cellRows(rows: Sql, outputs: readonly Output[]): Sql {
  if (outputs.length === 0) return rows;
  const cells = outputs.map(({ isJson }, index) => {
    const value = identifier('raw', column(index));
    const text = isJson ? sql`${value} #>> '{}'` : sql`format('%s', ${value})`;
    return sql`CASE WHEN num_nulls(${value}) = 0 THEN ${text} END AS ${identifier(column(index))}`;
  });
  const columns = outputs.map((_, index) => identifier(column(index)));
  return sql`SELECT ${join(cells, ', ')} FROM (${rows}) AS "raw"(${join(columns, ', ')})`;
}

/** Returns all {@link cellRows} of the alias `row` as one CSV string with a header line. */
function csvText(outputs: readonly Output[]): Sql {
  const names = outputs.map((output) => quoteCell(output.name ?? '')).join(',');
  const cells = outputs.map((_, index) => cellSql(identifier('row', column(index))));
  const line = cells.length === 0 ? sql`''` : join(cells, " || ',' || ");
  return sql`${bind(names)}::text || coalesce(E'\\n' || string_agg(${line}, E'\\n'), '')`;
}

/** The same for rows with columns known only to the database: names and values come from each row. */
const unknownColumnsCsv = sql`coalesce((SELECT string_agg(${cellSql(sql`"key"`)}, ',') FROM json_object_keys(json_agg("row".*) -> 0) AS "key") || E'\\n', '')
  || coalesce(string_agg((SELECT string_agg(${cellSql(sql`"cell"."value"`)}, ',') FROM json_each_text(row_to_json("row".*)) AS "cell"), E'\\n'), '')`;

/** Quotes `NULL`, which would otherwise be read as null; null itself is an empty cell. */
function cellSql(text: Sql): Sql {
  const quoted = sql`'"' || replace(${text}, '"', '""') || '"'`;
  return sql`CASE WHEN ${text} ~ '[",\\r\\n]' OR ${text} IN ('', 'NULL') THEN ${quoted} ELSE coalesce(${text}, '') END`;
}

const quoteCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Parts of the result row of a main statement. */
export interface ResultColumns {
  /** Query of the response rows. */
  readonly rows: Sql;
  readonly outputs: readonly Output[];
  readonly format: ResponseFormat;
  readonly withBody: boolean;
  /** Whether the only column is shown without its name. */
  readonly hasBareValues?: boolean;
  /** Each as text; null if absent. */
  readonly total?: Sql | undefined;
  readonly inserted?: Sql | undefined;
  readonly key?: Sql | undefined;
  /** Replaces the number of shown rows. */
  readonly shown?: Sql | undefined;
}

const nullText = sql`NULL::text`;

/** Returns the main query with the columns of `planColumns`; rows have the alias `row`. */
export function resultSql(columns: ResultColumns): Sql {
  const { total = nullText, inserted = nullText, key = nullText, shown = sql`count(*)::text` } = columns;
  const { rows, body } = shape(columns);
  return sql`SELECT ${body} AS "body", ${shown} AS "shown", ${total} AS "total", ${inserted} AS "inserted", ${key} AS "key", nullif(current_setting('response.headers', TRUE), '') AS "headers", nullif(current_setting('response.status', TRUE), '') AS "status" FROM (${rows}) AS "row"`;
}

function shape({ rows, outputs, format, withBody, hasBareValues }: ResultColumns): { rows: Sql; body: Sql } {
  if (!withBody) return { rows, body: nullText };
  if (format.kind === 'csv') {
    const isKnown = outputs.every((output) => output.name !== undefined);
    return isKnown
      ? { rows: cellRows(rows, outputs), body: csvText(outputs) }
      : { rows, body: unknownColumnsCsv };
  }
  const only = hasBareValues === true ? outputs[0]?.name : undefined;
  const array = only === undefined ? sql`json_agg("row".*)` : sql`json_agg(${identifier('row', only)})`;
  if (format.kind === 'openapi') return { rows, body: sql`coalesce(${array}::text, '[]')` };
  const value = format.stripsNulls ? sql`json_strip_nulls(${array})` : array;
  if (format.kind === 'object') return { rows, body: sql`coalesce((${value} -> 0)::text, 'null')` };
  return { rows, body: sql`coalesce(${value}::text, '[]')` };
}
