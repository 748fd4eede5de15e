import type { GatewayDatabase, Statement } from '../../database/database.ts';

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
