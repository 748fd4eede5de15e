import type { Catalog } from '../catalog/catalog.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import type { Preferences, Query, ResponseFormat } from '../query/query.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';
import type { Plan } from '../plan/plan.ts';
import type { Preference, RequestKind } from './response/applied-preferences.ts';
import type { Expectations, Outcome } from './response/outcome.ts';

/** A request that has been understood. */
export interface Asked {
  readonly request: GatewayRequest;
  readonly settings: GatewaySettings;
  readonly catalog: Catalog;
  readonly schema: string;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly format: ResponseFormat;
}

/** How it is carried out, and answered. */
export interface Prepared {
  readonly kind: RequestKind;
  readonly plan: Plan;
  readonly expected: Expectations;
  /** Preferences that this request cannot heed. */
  readonly ignored: readonly Preference[];
  /**
   * The answer, without what all answers have.
   * @throws GatewayError for rows beyond the last one
   */
  respond(outcome: Outcome): GatewayResponse;
}
