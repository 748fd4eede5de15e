import { GatewayError } from '../../../core/gateway/gateway-error.ts';

/** What a call is refused with; anything else it throws passes. */
export function thrownBy(call: () => unknown): GatewayError {
  try {
    call();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}
