import { GatewayError } from '../../gateway-error.ts';
import type { GatewaySettings } from '../../gateway-settings.ts';
import type { TokenVerifier } from '../../tokens/token-verifier.ts';
import type { GatewayRequest } from '../request.ts';
import type { Requester } from './requester.ts';

/** What decides who a request is carried out for. */
export interface Identification {
  readonly settings: Pick<GatewaySettings, 'anonymousRole'>;
  /** Absent when no key is configured. */
  readonly verifier: TokenVerifier | undefined;
}

/**
 * Finds out who asks: whom a token names, else the anonymous role, else, where no key is configured
 * and only this machine can ask, whoever the connection is.
 * @throws GatewayError PGRST300 for a token without a key to judge it, PGRST301 to 303 for a bad one or none
 */
export async function identify(
  { headers, isLoopback }: GatewayRequest,
  { settings, verifier }: Identification,
): Promise<Requester> {
  const token = /^bearer\s+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]?.trim();
  const { anonymousRole } = settings;
  if (token !== undefined) {
    if (verifier === undefined)
      throw new GatewayError(500, 'PGRST300', 'Server lacks JWT secret', { hint: 'Set gateway.jwtKey.' });
    const { role = anonymousRole, claims } = await verifier.verify(token);
    if (role === undefined)
      throw refuseAnonymous('The token has no role', 'Add the role to the claim in gateway.jwtRoleClaim');
    return { role, claims, isAuthenticated: true };
  }
  if (anonymousRole !== undefined) {
    const claims = JSON.stringify({ role: anonymousRole });
    return { role: anonymousRole, claims, isAuthenticated: false };
  }
  if (verifier === undefined && isLoopback) return { claims: '{}', isAuthenticated: false };
  throw refuseAnonymous(
    'Anonymous access is disabled',
    verifier === undefined
      ? 'Set gateway.jwtKey and send a token that can be verified with this key'
      : 'Send "Authorization: Bearer TOKEN"',
  );
}

const refuseAnonymous = (message: string, remedy: string): GatewayError =>
  new GatewayError(401, 'PGRST302', message, { hint: `${remedy}, or set gateway.anonymousRole.` });
