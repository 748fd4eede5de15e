import type { FastifyRequest } from 'fastify';
import type { Auth } from '../../../auth/auth.ts';
import type { Provider } from '../../../auth/oidc/provider.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { SealedCookies } from './sealed-cookies.ts';

/** Dependencies of the single sign-on routes. */
export interface OidcServer {
  readonly auth: Auth;
  readonly provider: Provider;
  readonly cookie: SessionCookie;
  readonly sealed: SealedCookies;
  readonly basePath: string;
  /** Public URL of the server behind a proxy. */
  readonly publicUrl: string | undefined;
  readonly isTls: boolean;
}

/** Returns the cookie name of a pending sign-in; each tab may have one. */
export const pendingCookieName = ({ auth }: OidcServer, state: string): string =>
  `stepwright_${auth.realm}_in_${state.slice(0, 12)}`;

/** Returns the name of the cookie with the ID token hint for sign-out. */
export const idTokenHintCookieName = ({ auth }: OidcServer): string => `stepwright_${auth.realm}_id`;

/**
 * Returns the URL of this server as the requesting browser sees it, without a trailing slash. The origin guard has
 * checked the host name.
 */
export function findPublicUrl(
  { publicUrl, isTls, basePath }: OidcServer,
  { headers }: FastifyRequest,
): string {
  return publicUrl ?? `${isTls ? 'https' : 'http'}://${headers.host}${basePath}`;
}

/** Returns the path prefix of this server as browsers see it: empty, or for example `/flows`. */
export const prefixOf = ({ publicUrl, basePath }: Pick<OidcServer, 'publicUrl' | 'basePath'>): string =>
  publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '');

/** Whether the request comes from a browser navigation. */
export const wantsPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html');
