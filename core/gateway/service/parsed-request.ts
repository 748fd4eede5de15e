import type { Catalog } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat } from '../query/query.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import type { Plan } from '../plan/plan.ts';
import type { Preference, RequestKind } from './response/applied-preferences.ts';
import type { Expectations, Outcome } from './response/outcome.ts';

/** A parsed request. */
export interface ParsedRequest {
  readonly request: GatewayRequest;
  readonly settings: GatewaySettings;
  readonly catalog: Catalog;
  readonly schema: string;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
}

/** A planned request with its response function. */
export interface Prepared {
  readonly kind: RequestKind;
  readonly plan: Plan;
  readonly expected: Expectations;
  /** Preferences that do not apply to this request. */
  readonly ignored: readonly Preference[];
  /**
   * Builds the response, without the headers common to all responses.
   * @throws GatewayError for an offset beyond the last row
   */
  respond(outcome: Outcome): GatewayResponse;
}
