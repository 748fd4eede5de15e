import { GatewayError } from '../../gateway-error.ts';

/** Maximum keys per object and CSV columns: PostgreSQL tables have at most 1,600 columns. */
export const MAX_KEYS = 1_600;

/** Returns the error for an invalid body. */
export const bodyError = (message: string, details?: string, hint?: string): GatewayError =>
  new GatewayError(400, 'PGRST102', message, { details: details ?? null, hint: hint ?? null });
