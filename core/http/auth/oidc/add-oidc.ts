import type { FastifyInstance } from 'fastify';
import { signInPath, signOutPath } from '../../../auth/oidc/paths.ts';
import { prefixOf, type OidcServer } from './oidc-server.ts';
import { SealedCookies, type SealedCookieContext } from './sealed-cookies.ts';
import { addSignInRoutes } from './sign-in-routes.ts';
import { addSignOutRoutes } from './sign-out-routes.ts';

/** Adds single sign-on to a server. The provider may be unreachable at startup. */
export function addOidc(
  app: FastifyInstance,
  context: SealedCookieContext & Omit<OidcServer, 'sealed'>,
): void {
  const server = { ...context, sealed: new SealedCookies(context) };
  const { auth, provider } = server;
  auth.addLogin(() => {
    const { problem } = provider;
    // A later check then finds the provider available again.
    if (problem !== undefined) provider.prepare();
    return {
      kind: 'oidc',
      path: prefixOf(server) + signInPath,
      logoutPath: prefixOf(server) + signOutPath,
      ...(problem === undefined ? {} : { problem }),
    };
  });
  provider.prepare();
  addSignInRoutes(app, server);
  addSignOutRoutes(app, server);
}
