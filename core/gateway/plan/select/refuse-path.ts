import { GatewayError } from '../../gateway-error.ts';

/** The refusal of a filter or an order of something that is not embedded. */
export const refusePath = (called: string): GatewayError =>
  new GatewayError(400, 'PGRST108', `'${called}' is not an embedded resource in this request`, {
    hint: `Verify that '${called}' is included in the 'select' query parameter.`,
  });
