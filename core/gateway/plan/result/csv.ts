import type { Output } from '../select/output.ts';
import { bind, join, name, type Sql, sql } from '../sql.ts';

/** Columns by number: two may have the same name. */
const column = (index: number): string => `c${index}`;

/**
 * Rows whose columns are known, each value as PostgreSQL prints it, JSON strings without their quotes: a cell of a
 * represented column reads as its value, not as JSON (PostgREST quotes it twice).
 */
export function cellRows(rows: Sql, outputs: readonly Output[]): Sql {
  if (outputs.length === 0) return rows;
  const cells = outputs.map(({ isJson }, index) => {
    const value = name('raw', column(index));
    const text = isJson ? sql`${value} #>> '{}'` : sql`format('%s', ${value})`;
    return sql`CASE WHEN num_nulls(${value}) = 0 THEN ${text} END AS ${name(column(index))}`;
  });
  const columns = outputs.map((_, index) => name(column(index)));
  return sql`SELECT ${join(cells, ', ')} FROM (${rows}) AS "raw"(${join(columns, ', ')})`;
}

/** All of {@link cellRows} under the alias `row` as one text, with a line of names first. */
export function csvText(outputs: readonly Output[]): Sql {
  const names = outputs.map((output) => quoteCell(output.name ?? '')).join(',');
  const cells = outputs.map((_, index) => cellSql(name('row', column(index))));
  const line = cells.length === 0 ? sql`''` : join(cells, " || ',' || ");
  return sql`${bind(names)}::text || coalesce(E'\\n' || string_agg(${line}, E'\\n'), '')`;
}

/** The same for rows whose columns only the database knows: names and values are taken from each row. */
export const csvOfUnknown = sql`coalesce((SELECT string_agg(${cellSql(sql`"key"`)}, ',') FROM json_object_keys(json_agg("row".*) -> 0) AS "key") || E'\\n', '')
  || coalesce(string_agg((SELECT string_agg(${cellSql(sql`"cell"."value"`)}, ',') FROM json_each_text(row_to_json("row".*)) AS "cell"), E'\\n'), '')`;

/** A bare `NULL` would be read as null, and nothing at all is what null is written as. */
function cellSql(text: Sql): Sql {
  const quoted = sql`'"' || replace(${text}, '"', '""') || '"'`;
  return sql`CASE WHEN ${text} ~ '[",\\r\\n]' OR ${text} IN ('', 'NULL') THEN ${quoted} ELSE coalesce(${text}, '') END`;
}

const quoteCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
