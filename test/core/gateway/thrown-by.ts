import { GatewayError } from '../../../core/gateway/gateway-error.ts';

/** The error that a call is rejected with; other exceptions pass through. */
export function thrownBy(call: () => unknown): GatewayError {
  try {
    call();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('Nothing was rejected');
}
