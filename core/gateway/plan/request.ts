import type { Catalog, Relation, Routine } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat } from '../query/query.ts';
import type { Body } from '../query/query.ts';
import type { Plan } from './plan.ts';

/** What of the settings the planner asks. */
export type PlanSettings = Pick<GatewaySettings, 'maxRows' | 'allowsAggregates' | 'allowsUnfiltered'>;

/** What every plan is made from. A `Range` header has been merged into the limit and offset of `query.root`. */
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
  /** False for HEAD: rows are counted, and not made into text. */
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

/** The body of a call, as it came, and as JSON where it is a JSON object (or an array of those), CSV or a form. */
export interface CallBody {
  readonly mediaType: 'json' | 'text' | 'xml' | 'bytes';
  /** The whole body; bytes as `\x` and hexadecimal digits. */
  readonly text: string;
  readonly object?: Body;
  /** Fields of a form, of which some may be there several times. */
  readonly form?: Query['others'];
}

/** GET, HEAD and POST of a function. */
export interface CallRequest extends PlanRequest {
  readonly schema: string;
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** Of POST; an empty body is the object `{}`. */
  readonly body?: CallBody;
}

/** The plan of a call, with what was chosen to be called: `void` results are answered by 204. */
export interface CallPlan extends Plan {
  readonly routine: Routine;
}
