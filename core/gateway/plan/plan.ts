import type { Statement } from '../database/database.ts';

/**
 * What a request is carried out by. The main statement always gives exactly one row with these columns, all of them
 * text (an engine that gives none is broken: `gateway.md` 3, 1):
 *
 * - `body`: the response as text, JSON or CSV made in the database; null when none was asked for
 * - `shown`: how many rows are in it; of writes how many were written, unless one object is asked for
 * - `total`: how many there are without limit and offset; null when not counted
 * - `inserted`: how many rows were new (upserts); null elsewhere
 * - `key`: for `Location`: a JSON object with each column of the primary key as the filter would accept it
 *   (by the response conversion, as text); null unless exactly one row was written
 * - `headers`, `status`: of `response.headers` and `response.status`, null when unset
 */
export interface Plan {
  readonly main: Statement;
  readonly isReadOnly: boolean;
  /** Asks the planner of the database how many rows there are (`count=planned|estimated`): one row, EXPLAIN as JSON. */
  readonly explain?: Statement;
}

export const planColumns = ['body', 'shown', 'total', 'inserted', 'key', 'headers', 'status'] as const;
