import { GatewayError } from '../../gateway-error.ts';

/** Of one object, columns of CSV: PostgreSQL has tables of 1,600 columns at most. */
export const MAX_KEYS = 1_600;

/** A refusal of a body. */
export const refuseBody = (message: string, details?: string, hint?: string): GatewayError =>
  new GatewayError(400, 'PGRST102', message, { details: details ?? null, hint: hint ?? null });
