import type { Statement } from '../../store/sql/database.ts';
import type { Catalog, Relation, Routine } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat, Body } from '../query/query.ts';
import type { OutputOptions } from './select-output.ts';

/** Settings that affect planning. */
export type PlanSettings = Pick<GatewaySettings, 'maxRows' | 'allowsAggregates' | 'allowsUnfiltered'>;

/** Input of every plan. A `Range` header has been merged into limit and offset of `query.root`. */
export interface PlanRequest {
  readonly catalog: Catalog;
  readonly settings: PlanSettings;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
}

/** GET and HEAD of a relation. */
export interface ReadRequest extends PlanRequest {
  readonly relation: Relation;
  /** False for HEAD: rows are counted but not serialized. */
  readonly withBody: boolean;
}

/** DELETE of a relation. */
export interface DeleteRequest extends PlanRequest {
  readonly relation: Relation;
}

/** POST, PATCH and PUT of a relation. */
export interface WriteRequest extends DeleteRequest {
  readonly body: Body;
}

/** The body of a call as received, and as JSON if it is a JSON object (or an array of objects), CSV or a form. */
export interface CallBody {
  readonly mediaType: 'json' | 'text' | 'xml' | 'bytes';
  /** The whole body; bytes as `\x` and hexadecimal digits. */
  readonly text: string;
  readonly object?: Body;
  /** Form fields; names may repeat. */
  readonly form?: Query['others'];
}

/** GET, HEAD and POST of a function. */
export interface CallRequest extends PlanRequest {
  readonly schema: string;
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** Body of a POST; an empty body is the object `{}`. */
  readonly body?: CallBody;
}

/** The plan of a call with the chosen function. `void` results in a 204 response. */
export interface CallPlan extends Plan {
  readonly routine: Routine;
}

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

/** Returns the options that apply to all selected output. */
export const outputOptions = ({ catalog, settings, format }: PlanRequest): OutputOptions => ({
  catalog,
  allowsAggregates: settings.allowsAggregates,
  listsColumns: format.kind === 'csv',
});
