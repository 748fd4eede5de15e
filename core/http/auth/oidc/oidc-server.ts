import type { FastifyRequest } from 'fastify';
import type { Auth } from '../../../auth/auth.ts';
import type { Provider } from '../../../auth/oidc/provider.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { SealedCookies } from './sealed-cookies.ts';

/** What the routes of single sign-on work with. */
export interface OidcServer {
  readonly auth: Auth;
  readonly provider: Provider;
  readonly cookie: SessionCookie;
  readonly sealed: SealedCookies;
  readonly basePath: string;
  /** Where people reach the server, when a proxy is before it. */
  readonly publicUrl: string | undefined;
  readonly isTls: boolean;
}

/** Name of the cookie of a sign-in that is under way; several tabs may each have one. */
export const pendingName = ({ auth }: OidcServer, state: string): string =>
  `stepwright_${auth.realm}_in_${state.slice(0, 12)}`;

/** Name of the cookie with what the provider wants to see at the end of the session. */
export const hintName = ({ auth }: OidcServer): string => `stepwright_${auth.realm}_id`;

/**
 * Where the browser that sent the request reaches this server, without a slash at the end. The guard of origins has
 * judged the name.
 */
export function findPublicUrl(
  { publicUrl, isTls, basePath }: OidcServer,
  { headers }: FastifyRequest,
): string {
  return publicUrl ?? `${isTls ? 'https' : 'http'}://${headers.host}${basePath}`;
}

/** What comes before the paths of this server, as browsers see them: empty, or such as `/flows`. */
export const prefixOf = ({ publicUrl, basePath }: Pick<OidcServer, 'publicUrl' | 'basePath'>): string =>
  publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '');

/** Whether it is a person's browser that asks, rather than a program. */
export const wantsPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html');
