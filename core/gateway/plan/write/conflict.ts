import type { Column, Relation } from '../../catalog/catalog.ts';
import type { Preferences, Query } from '../../query/query.ts';
import { join, name, type Sql, sql } from '../sql.ts';

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
export function resolveConflicts(
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
          key.map((one) => name(one)),
          ', ',
        )}) DO NOTHING`,
        inserted: sql`${countRows}::text`,
      };
}

/** Updates existing rows. The condition counts each and is always true. */
export function mergeRows(key: readonly string[], columns: readonly Column[]): Conflict {
  const compared = join(
    key.map((one) => name(one)),
    ', ',
  );
  const set = columns.map((column) => sql`${name(column.name)} = ${name('excluded', column.name)}`);
  return {
    clause: sql` ON CONFLICT (${compared}) DO UPDATE SET ${join(set, ', ')} WHERE ${countsUpdate}`,
    inserted: sql`(${countRows} - ${updated})::text`,
  };
}
