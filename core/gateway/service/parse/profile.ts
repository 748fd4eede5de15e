import { GatewayError } from '../../gateway-error.ts';
import type { GatewayRequest } from '../request.ts';

/**
 * Returns the schema of the profile header, or the default schema.
 * @throws GatewayError PGRST106 if it is not exposed
 */
export function findProfile({ method, headers }: GatewayRequest, schemas: readonly string[]): string {
  const reads = method === 'GET' || method === 'HEAD';
  const options = headers[reads ? 'accept-profile' : 'content-profile'];
  const schema = options ?? schemas[0];
  if (schema !== undefined && schemas.includes(schema)) return schema;
  throw new GatewayError(406, 'PGRST106', `Invalid schema: ${schema ?? ''}`, {
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  });
}

/** Returns the profile header if there are several schemas. */
export const profileHeaders = (schema: string, schemas: readonly string[]): Record<string, string> =>
  schemas.length > 1 ? { 'content-profile': schema } : {};
