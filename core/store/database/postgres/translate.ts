/** Quoted strings, names and comments, which stay as they are, and the parts to rewrite. */
const parts = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?|\bINDEXED BY \w+|\bCROSS JOIN\b|\binstr(?=\()/g;

const insertion = /^\s*INSERT INTO (\w+)/;
const returning = /\bRETURNING\b/;

/**
 * Translates a statement of the store to PostgreSQL. Query hints for SQLite (`INDEXED BY`, the order of `CROSS JOIN …
 * ON`) are removed: PostgreSQL chooses its own plan. An insert returns the key it has generated.
 * @param generatedKeys table → its column that the database numbers
 */
export function translate(sql: string, generatedKeys: ReadonlyMap<string, string>): string {
  let places = 0;
  const text = sql.replace(parts, (part) => {
    if (part === '?') return `$${++places}`;
    if (part === 'CROSS JOIN') return 'JOIN';
    if (part === 'instr') return 'strpos';
    return part.startsWith('INDEXED BY') ? '' : part;
  });
  const key = generatedKeys.get(insertion.exec(sql)?.[1] ?? '');
  return key === undefined || returning.test(sql) ? text : `${text} RETURNING ${key}`;
}
