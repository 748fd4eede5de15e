import type { Output } from '../select/output.ts';
import { bind, join, name, type Sql, sql } from '../sql.ts';

/** Columns by number, because two may have the same name. */
const column = (index: number): string => `c${index}`;

/**
 * Returns rows with known columns. Each value is as PostgreSQL prints it; JSON strings are unquoted, so that a
 * represented column contains its value, not JSON (PostgREST quotes it twice).
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

/** Returns all {@link cellRows} of the alias `row` as one CSV string with a header line. */
export function csvText(outputs: readonly Output[]): Sql {
  const names = outputs.map((output) => quoteCell(output.name ?? '')).join(',');
  const cells = outputs.map((_, index) => cellSql(name('row', column(index))));
  const line = cells.length === 0 ? sql`''` : join(cells, " || ',' || ");
  return sql`${bind(names)}::text || coalesce(E'\\n' || string_agg(${line}, E'\\n'), '')`;
}

/** The same for rows with columns known only to the database: names and values come from each row. */
export const csvOfUnknownColumns = sql`coalesce((SELECT string_agg(${cellSql(sql`"key"`)}, ',') FROM json_object_keys(json_agg("row".*) -> 0) AS "key") || E'\\n', '')
  || coalesce(string_agg((SELECT string_agg(${cellSql(sql`"cell"."value"`)}, ',') FROM json_each_text(row_to_json("row".*)) AS "cell"), E'\\n'), '')`;

/** Quotes `NULL`, which would otherwise be read as null; null itself is an empty cell. */
function cellSql(text: Sql): Sql {
  const quoted = sql`'"' || replace(${text}, '"', '""') || '"'`;
  return sql`CASE WHEN ${text} ~ '[",\\r\\n]' OR ${text} IN ('', 'NULL') THEN ${quoted} ELSE coalesce(${text}, '') END`;
}

const quoteCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
