import { GatewayError } from '../../gateway-error.ts';
import type { GatewaySettings } from '../../gateway-settings.ts';
import type { TokenVerifier } from '../../tokens/token-verifier.ts';
import type { GatewayRequest } from '../request.ts';
import type { Requester } from './requester.ts';

/** Dependencies for authentication. */
export interface IdentifyDeps {
  readonly settings: Pick<GatewaySettings, 'anonymousRole'>;
  /** Absent if no key is configured. */
  readonly verifier: TokenVerifier | undefined;
}

/**
 * Returns the requester: of the token, else the anonymous role, else, without a key and only for local requests, the
 * role of the connection.
 * @throws GatewayError PGRST300 for a token without a configured key, PGRST301 to 303 for an invalid or missing token
 */
export async function identifyRequester(
  { headers, isLoopback }: GatewayRequest,
  { settings, verifier }: IdentifyDeps,
): Promise<Requester> {
  const token = /^bearer\s+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]?.trim();
  const { anonymousRole } = settings;
  if (token !== undefined) {
    if (verifier === undefined)
      throw new GatewayError(500, 'PGRST300', 'Server lacks JWT secret', { hint: 'Set gateway.jwtKey.' });
    const { role = anonymousRole, claims } = await verifier.verify(token);
    if (role === undefined)
      throw anonymousError('The token has no role', 'Add the role to the claim in gateway.jwtRoleClaim');
    return { role, claims, isAuthenticated: true };
  }
  if (anonymousRole !== undefined) {
    const claims = JSON.stringify({ role: anonymousRole });
    return { role: anonymousRole, claims, isAuthenticated: false };
  }
  if (verifier === undefined && isLoopback) return { claims: '{}', isAuthenticated: false };
  throw anonymousError(
    'Anonymous access is disabled',
    verifier === undefined
      ? 'Set gateway.jwtKey and send a token that can be verified with this key'
      : 'Send "Authorization: Bearer TOKEN"',
  );
}

const anonymousError = (message: string, remedy: string): GatewayError =>
  new GatewayError(401, 'PGRST302', message, { hint: `${remedy}, or set gateway.anonymousRole.` });
