import type { ResponseFormat } from '../../query/query.ts';
import type { Output } from '../select/output.ts';
import { name, type Sql, sql } from '../sql.ts';
import { cellRows, csvOfUnknownColumns, csvText } from './csv.ts';

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
      : { rows, body: csvOfUnknownColumns };
  }
  const only = hasBareValues === true ? outputs[0]?.name : undefined;
  const array = only === undefined ? sql`json_agg("row".*)` : sql`json_agg(${name('row', only)})`;
  if (format.kind === 'openapi') return { rows, body: sql`coalesce(${array}::text, '[]')` };
  const value = format.stripsNulls ? sql`json_strip_nulls(${array})` : array;
  if (format.kind === 'object') return { rows, body: sql`coalesce((${value} -> 0)::text, 'null')` };
  return { rows, body: sql`coalesce(${value}::text, '[]')` };
}
