/** Quoted texts and names and comments, which stay as they are, and what is written differently. */
const parts = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?|\bINDEXED BY \w+|\bCROSS JOIN\b|\binstr(?=\()/g;

const insertion = /^\s*INSERT INTO (\w+)/;
const returning = /\bRETURNING\b/;

/**
 * A statement of the store as PostgreSQL takes it. Of what SQLite is told about the way of a query nothing is left
 * (`INDEXED BY`, the order of `CROSS JOIN … ON`): PostgreSQL finds its own. An insertion gives back the key it has made.
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
