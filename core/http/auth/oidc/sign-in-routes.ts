import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackPath, signInPath } from '../../../auth/oidc/paths.ts';
import { beginSignIn, finishSignIn, type PendingSignIn } from '../../../auth/oidc/sign-in.ts';
import { errorCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { sendPage } from './message-page.ts';
import {
  findPublicUrl,
  idTokenHintCookieName,
  pendingCookieName,
  prefixOf,
  wantsPage,
  type OidcServer,
} from './oidc-server.ts';
import { toReturnPath } from './return-path.ts';

/** Maximum duration of a sign-in at the provider, in seconds. */
const timeoutSec = 600;

/** Adds the routes to the provider and back. */
export function addSignInRoutes(app: FastifyInstance, server: OidcServer): void {
  app.get(signInPath, async (request, reply) => {
    try {
      return await begin(server, request, reply);
    } catch (error) {
      return notify(server, error, { request, reply });
    }
  });
  app.get(callbackPath, async (request, reply) => {
    try {
      return await finish(server, request, reply);
    } catch (error) {
      return notify(server, error, { request, reply });
    }
  });
}

async function begin(
  server: OidcServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { returnTo } = request.query as Readonly<Record<string, unknown>>;
  const { url, pending } = await beginSignIn(server.provider, {
    redirectUri: findPublicUrl(server, request) + callbackPath,
    returnTo: toReturnPath(returnTo, prefixOf(server)),
  });
  const name = pendingCookieName(server, pending.state);
  await server.sealed.set(reply, name, { content: pending, maxAge: timeoutSec });
  return reply.header('cache-control', 'no-store').redirect(url, 302);
}

async function finish(
  server: OidcServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { auth, provider, cookie, sealed } = server;
  const { state } = request.query as Readonly<Record<string, unknown>>;
  const name = pendingCookieName(server, typeof state === 'string' ? state : '');
  const pending = (await sealed.read(request, name)) as PendingSignIn | undefined;
  if (pending === undefined)
    throw new AppError(
      'unauthorized',
      'This sign-in was started in another browser, has expired or was already used. Sign in again.',
    );
  sealed.clear(reply, name);
  const query = request.url.slice(request.url.indexOf('?'));
  const { subject, idToken } = await finishSignIn(provider, pending, query);
  const session = await auth.issueSession(subject);
  cookie.set(reply, session);
  if (idToken !== undefined)
    await sealed.set(reply, idTokenHintCookieName(server), {
      content: { idToken },
      maxAge: auth.settings.builtin.tokenTtl,
    });
  // A redirect from another site carries no strict cookies, not even through further redirects, so a page of this
  // server starts a new navigation.
  return sendPage(reply, {
    title: 'Signed in',
    text: `You are signed in as ${subject.username}.`,
    link: { href: pending.returnTo, label: 'Continue' },
    isAutomatic: true,
  });
}

/** Sends an error page with a retry link to a browser, and the error response to other clients. */
function notify(
  server: OidcServer,
  error: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  if (!(error instanceof AppError) || !wantsPage(request)) throw error;
  return sendPage(reply.code(errorCodes[error.code].http), {
    title: error.code === 'unavailable' ? 'Sign-in unavailable' : 'Not signed in',
    text: error.message,
    link: { href: prefixOf(server) + signInPath, label: 'Try again' },
  });
}
