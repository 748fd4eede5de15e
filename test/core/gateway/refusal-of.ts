import { GatewayError } from '../../../core/gateway/gateway-error.ts';

/** What a call is refused with; anything else it throws passes. */
export function refusalOf(call: () => unknown): GatewayError {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('Nothing was refused');
}
