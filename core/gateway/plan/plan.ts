import type { Statement } from '../database/database.ts';

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
