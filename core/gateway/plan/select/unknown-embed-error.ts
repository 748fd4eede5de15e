import { GatewayError } from '../../gateway-error.ts';

/** Returns the error for a filter or order of a resource that is not embedded. */
export const unknownEmbedError = (called: string): GatewayError =>
  new GatewayError(400, 'PGRST108', `'${called}' is not an embedded resource in this request`, {
    hint: `Verify that '${called}' is included in the 'select' query parameter.`,
  });
