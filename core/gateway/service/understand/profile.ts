import { GatewayError } from '../../gateway-error.ts';
import type { GatewayRequest } from '../request.ts';

/**
 * The schema that a request is for: as its profile header says, else the first.
 * @throws GatewayError PGRST106 for one that is not exposed
 */
export function findProfile({ method, headers }: GatewayRequest, schemas: readonly string[]): string {
  const reads = method === 'GET' || method === 'HEAD';
  const wish = headers[reads ? 'accept-profile' : 'content-profile'];
  const schema = wish ?? schemas[0];
  if (schema !== undefined && schemas.includes(schema)) return schema;
  throw new GatewayError(406, 'PGRST106', `Invalid schema: ${schema ?? ''}`, {
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  });
}

/** Tells the schema where there are several to choose from. */
export const profileHeaders = (schema: string, schemas: readonly string[]): Record<string, string> =>
  schemas.length > 1 ? { 'content-profile': schema } : {};
