import { GatewayError } from '../../gateway-error.ts';

/** A refusal of a body. */
export const refuseBody = (message: string, details?: string, hint?: string): GatewayError =>
  new GatewayError(400, 'PGRST102', message, { details: details ?? null, hint: hint ?? null });
