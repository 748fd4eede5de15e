import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signedOutPath, signInPath, signOutPath } from '../../../auth/oidc/paths.ts';
import { findLogoutUrl } from '../../../auth/oidc/sign-in.ts';
import { AppError } from '../../../base/errors.ts';
import { sendPage } from './message-page.ts';
import { findPublicUrl, idTokenHintCookieName, prefixOf, type OidcServer } from './oidc-server.ts';

/** Adds the sign-out routes: of this server, and of the provider if supported. */
export function addSignOutRoutes(app: FastifyInstance, server: OidcServer): void {
  app.get(signOutPath, async (request, reply) => {
    const site = request.headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site')
      throw new AppError('forbidden', 'Sign-out must be requested from a page of this server.');
    await endSession(server, request);
    server.cookie.clear(reply);
    const hint = (await server.sealed.read(request, idTokenHintCookieName(server))) as
      | { idToken: string }
      | undefined;
    server.sealed.clear(reply, idTokenHintCookieName(server));
    const returnUri = findPublicUrl(server, request) + signedOutPath;
    const end = await findLogoutUrl(server.provider, { idToken: hint?.idToken, returnUri });
    return reply.header('cache-control', 'no-store').redirect(end ?? returnUri, 302);
  });
  app.get(signedOutPath, (_request, reply) =>
    sendPage(reply, {
      title: 'Signed out',
      text: 'You are signed out.',
      link: { href: prefixOf(server) + signInPath, label: 'Sign in' },
    }),
  );
}

/** Ends the session, unless it has already ended. */
async function endSession({ auth, cookie }: OidcServer, request: FastifyRequest): Promise<void> {
  const token = cookie.read(request);
  if (token === undefined || token === '') return;
  try {
    const { credential } = await auth.authenticate({ scheme: 'cookie', token }, { address: request.ip });
    const { kind, id, expiresAt } = credential;
    if (kind === 'session' && expiresAt !== undefined) auth.endSession({ id, expiresAt });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
  }
}
