import type { Catalog, Relation, Routine } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat } from '../query/query.ts';
import type { Body } from '../query/query.ts';
import type { Plan } from './plan.ts';

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
