import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CookieSerializeOptions } from '@fastify/cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import {
  signInPath,
  signOutPath,
  callbackPath,
  signedOutPath,
  type Provider,
} from '../api/auth/oidc/provider.ts';
import { beginSignIn, finishSignIn, type PendingSignIn, findLogoutUrl } from '../api/auth/oidc/sign-in.ts';
import { errorCodes } from '../base/error-codes.ts';
import { AppError } from '../base/errors.ts';
import { escapeMarkup } from '../base/text.ts';
import type { Clock } from '../base/clock.ts';
import type { Auth } from '../api/auth/auth.ts';
import type { SessionCookie } from './session-cookie.ts';

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
      path: getPrefix(server) + signInPath,
      logoutPath: getPrefix(server) + signOutPath,
      ...(problem === undefined ? {} : { problem }),
    };
  });
  provider.prepare();
  addSignInRoutes(app, server);
  addSignOutRoutes(app, server);
}

/** Maximum duration of a sign-in at the provider, in seconds. */
const timeoutSec = 600;

/** Adds the routes to the provider and back. */
function addSignInRoutes(app: FastifyInstance, server: OidcServer): void {
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
    returnTo: toReturnPath(returnTo, getPrefix(server)),
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
    link: { href: getPrefix(server) + signInPath, label: 'Try again' },
  });
}

/** Adds the sign-out routes: of this server, and of the provider if supported. */
function addSignOutRoutes(app: FastifyInstance, server: OidcServer): void {
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
      link: { href: getPrefix(server) + signInPath, label: 'Sign in' },
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

/** A page with a single message. */
export interface MessagePage {
  readonly title: string;
  readonly text: string;
  /** Link to continue. */
  readonly link: { readonly href: string; readonly label: string };
  /** Whether the browser follows the link automatically. */
  readonly isAutomatic?: true;
}

/** Sends a page without scripts and styles, titled by the status of the reply. */
function sendPage(reply: FastifyReply, { title, text, link, isAutomatic }: MessagePage): FastifyReply {
  const href = escapeMarkup(link.href);
  const refresh = isAutomatic ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
        `<meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title>${refresh}</head>` +
        `<body><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(text)}</p>` +
        `<p><a href="${href}">${escapeMarkup(link.label)}</a></p></body></html>\n`,
    );
}

/**
 * Returns the path to return to, below the prefix of this server. Anything that could lead to another site becomes the
 * start page.
 * @param returnTo path, query and fragment of a URL
 * @param prefix empty, or for example `/flows`
 */
export function toReturnPath(returnTo: unknown, prefix: string): string {
  const start = `${prefix}/`;
  if (typeof returnTo !== 'string' || returnTo.length > 2000) return start;
  const base = 'http://server.invalid';
  // Browsers treat `\` like `/`, remove newlines and tabs, and resolve `/./`.
  if (!returnTo.startsWith('/') || !URL.canParse(returnTo, base)) return start;
  const { origin, pathname, search, hash } = new URL(returnTo, base);
  const isHere = origin === base && pathname.startsWith(start) && !pathname.startsWith('//');
  return isHere ? pathname + search + hash : start;
}

/** Maximum cookie size in browsers. */
const maximumLength = 4000;

/** Settings of the cookies. */
interface SealedCookieContext {
  readonly basePath: string;
  /** Whether browsers use https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/** Encrypted cookies, which a browser can neither read nor change. The key is lost when the server restarts. */
class SealedCookies {
  readonly #context: SealedCookieContext;
  readonly #key = randomBytes(32);

  constructor(context: SealedCookieContext) {
    this.#context = context;
  }

  /** Sets a cookie for the specified number of seconds; an oversized value is dropped. */
  async set(
    reply: FastifyReply,
    name: string,
    { content, maxAge }: { readonly content: object; readonly maxAge: number },
  ): Promise<void> {
    const ends = new Date(this.#context.clock.now() + maxAge * 1000);
    const sealed = await new EncryptJWT({ content })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(name)
      .setExpirationTime(ends)
      .encrypt(this.#key);
    if (sealed.length <= maximumLength) void reply.setCookie(name, sealed, { ...this.#attributes(), maxAge });
  }

  /** Returns the value of a cookie; undefined if missing, expired or invalid. */
  async read(request: FastifyRequest, name: string): Promise<unknown> {
    const sealed = request.cookies[name];
    if (sealed === undefined) return undefined;
    try {
      const currentDate = new Date(this.#context.clock.now());
      const { payload } = await jwtDecrypt(sealed, this.#key, { audience: name, currentDate });
      return payload['content'];
    } catch {
      return undefined;
    }
  }

  clear(reply: FastifyReply, name: string): void {
    void reply.clearCookie(name, this.#attributes());
  }

  /** Returns the cookie attributes: `lax`, because the provider redirects from another site. */
  #attributes(): CookieSerializeOptions {
    const { basePath, isSecure } = this.#context;
    return { path: `${basePath}/`, httpOnly: true, sameSite: 'lax', secure: isSecure };
  }
}

/** Dependencies of the single sign-on routes. */
interface OidcServer {
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
const pendingCookieName = ({ auth }: OidcServer, state: string): string =>
  `stepwright_${auth.realm}_in_${state.slice(0, 12)}`;

/** Returns the name of the cookie with the ID token hint for sign-out. */
const idTokenHintCookieName = ({ auth }: OidcServer): string => `stepwright_${auth.realm}_id`;

/**
 * Returns the URL of this server as the requesting browser sees it, without a trailing slash. The origin guard has
 * checked the host name.
 */
function findPublicUrl({ publicUrl, isTls, basePath }: OidcServer, { headers }: FastifyRequest): string {
  return publicUrl ?? `${isTls ? 'https' : 'http'}://${headers.host}${basePath}`;
}

/** Returns the path prefix of this server as browsers see it: empty, or for example `/flows`. */
const getPrefix = ({ publicUrl, basePath }: Pick<OidcServer, 'publicUrl' | 'basePath'>): string =>
  publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '');

/** Whether the request comes from a browser navigation. */
const wantsPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html');
