// A file of its own: the variant of the SQL for one of the two databases.

/** Quoted strings, names and comments, which stay as they are, and the parts to rewrite. */
const tokenPattern =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?|\bINDEXED BY \w+|\bCROSS JOIN\b|\binstr(?=\()|\/\* FOR UPDATE \*\//g;

const insertStatement = /^\s*INSERT INTO (\w+)/;
const returning = /\bRETURNING\b/;

/**
 * Translates a statement of the store to PostgreSQL. Query hints for SQLite (`INDEXED BY`, the order of `CROSS JOIN …
 * ON`) are removed: PostgreSQL chooses its own plan. An insert returns the key it has generated. The comment `FOR
 * UPDATE` locks the rows of a query.
 * @param generatedKeys table → its column that the database numbers
 */
export function translate(sql: string, generatedKeys: ReadonlyMap<string, string>): string {
  let placeholderCount = 0;
  const text = sql.replace(tokenPattern, (token) => {
    if (token === '?') return `$${++placeholderCount}`;
    if (token === 'CROSS JOIN') return 'JOIN';
    if (token === 'instr') return 'strpos';
    if (token === '/* FOR UPDATE */') return 'FOR NO KEY UPDATE';
    return token.startsWith('INDEXED BY') ? '' : token;
  });
  const key = generatedKeys.get(insertStatement.exec(sql)?.[1] ?? '');
  return key === undefined || returning.test(sql) ? text : `${text} RETURNING ${key}`;
}

/** Whether a statement adds rows, whose generated key it returns. */
export const isInsertion = (sql: string): boolean => /^\s*INSERT\b/.test(sql);

/** Lists the generated keys of the schema. */
export const generatedKeysSql = /* sql */ `
  SELECT relname AS name, attname AS key FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;
