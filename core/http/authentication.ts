import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../api/engine-api.ts';
import type { Auth } from '../api/auth/auth.ts';
import type { Credentials } from '../api/auth/identity.ts';
import { AppError } from '../base/errors.ts';
import { isApiPath } from './missing-routes.ts';
import type { SessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. */
    caller: Caller;
    /** Authenticates again; rejects with `unauthorized`. Absent without authentication. */
    recheck: (() => Promise<Caller>) | undefined;
  }
  interface FastifyContextConfig {
    /** Needs no credentials. */
    isOpen?: true;
    /** Needs credentials like the API, whatever its path. */
    isGuarded?: true;
  }
}

/** Dependencies of authentication. */
export interface AuthenticationOptions {
  /** Absent: no authentication. */
  readonly auth: Auth | undefined;
  readonly cookie: SessionCookie | undefined;
  readonly servicePaths: readonly string[];
}

/** Caller of a request without authentication. */
const anybody: Caller = { via: 'http', name: 'http' };

/** Authenticates each request and rejects API requests without valid credentials. The API checks permissions. */
export async function addAuthentication(app: FastifyInstance, options: AuthenticationOptions): Promise<void> {
  const { auth, cookie } = options;
  await app.register(fastifyCookie);
  app.decorateRequest('caller', null as unknown as Caller);
  app.decorateRequest('recheck', undefined);
  const isService = matchServicePaths(options.servicePaths);
  app.addHook('onRequest', async (request, reply) => {
    request.caller = { ...anybody, address: request.ip };
    if (auth?.isRequired !== true || !isProtected(request)) return;
    const [path = ''] = request.url.split('?', 1);
    if (request.routeOptions.config.isOpen === true || (isRead(request) && isService(path))) {
      // Unauthenticated requests to service paths have the viewer role only.
      request.caller = { ...request.caller, name: 'anonymous', role: 'viewer' };
      await authenticateIfPresent({ auth, cookie, request, reply });
      return;
    }
    const identify = identifier({ auth, cookie, request });
    try {
      request.caller = await identify();
    } catch (error) {
      forgetSession({ request, reply, cookie }, error);
      throw error;
    }
    request.recheck = identify;
  });
  if (auth?.isRequired === true) {
    app.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 401) void reply.header('www-authenticate', authenticateHeader(auth));
    });
  }
}

/**
 * Whether the route needs credentials. Decided by the route, not the raw path, because escapes are decoded before
 * routing.
 */
function isProtected({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.config.isGuarded === true || isApiPath(routeOptions.url ?? url);
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/**
 * Authenticates a request to an open route if it has credentials, so that a page learns whether it has a session
 * without an error response.
 */
async function authenticateIfPresent(context: {
  readonly auth: Auth;
  readonly cookie: SessionCookie | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): Promise<void> {
  const { request, cookie } = context;
  const isFromPage = request.headers.authorization === undefined && cookie?.read(request) !== undefined;
  if (!isFromPage || !isRead(request)) return;
  try {
    request.caller = await identifier(context)();
  } catch (error) {
    forgetSession(context, error);
  }
}

function identifier(context: {
  readonly auth: Auth;
  readonly cookie: SessionCookie | undefined;
  readonly request: FastifyRequest;
}): () => Promise<Caller> {
  const { auth, cookie, request } = context;
  return async () => {
    const credentials = readCredentials(request.headers.authorization, cookie?.read(request));
    if (credentials === undefined) throw new AppError('unauthorized', formatMissingLogin(auth));
    assertSameOrigin(request, credentials);
    const address = request.ip;
    const { name, role, user, credential } = await auth.authenticate(credentials, { address });
    return { via: 'http', name, role, user, credential, address };
  };
}

/**
 * Rejects a change by cookie from a foreign page. Browsers send the origin of a change, which the origin guard checks;
 * a request without it does not come from a current browser, and must not use its cookie. Throws `forbidden`.
 */
function assertSameOrigin(request: FastifyRequest, { scheme }: Credentials): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (scheme !== 'cookie' || isRead(request) || origin !== undefined || site !== undefined) return;
  throw new AppError(
    'forbidden',
    'Requests with the session cookie must come from a page of this server. Send "Authorization: Bearer TOKEN" instead.',
  );
}

/** Removes an expired cookie. */
function forgetSession(
  context: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly cookie: SessionCookie | undefined;
  },
  error: unknown,
): void {
  const { request, reply, cookie } = context;
  const isWrong = error instanceof AppError && error.code === 'unauthorized';
  if (isWrong && request.headers.authorization === undefined && cookie?.read(request) !== undefined)
    cookie.clear(reply);
}

function formatMissingLogin({ needsSetup }: Auth): string {
  return needsSetup
    ? 'Authentication required, but no users exist yet. Create the first on the engine host: "engine users create NAME --role admin".'
    : 'Authentication required. Sign in, or send "Authorization: Bearer TOKEN".';
}

/**
 * Returns the authentication challenge. A browser opens its own dialog for `Basic`, so it is offered only if there is
 * no other method.
 */
function authenticateHeader({ mode, settings }: Auth): string {
  const isBasicOnly = mode === 'none' && settings.basic.username !== undefined;
  return isBasicOnly ? 'Basic realm="stepwright", charset="UTF-8"' : 'Bearer realm="stepwright"';
}

/**
 * Returns the credentials of a request: the `Authorization` header (RFC 6750, RFC 7617), else the session cookie.
 * Throws `unauthorized` for an invalid header.
 */
function readCredentials(
  authorization: string | undefined,
  sessionCookie: string | undefined,
): Credentials | undefined {
  if (authorization !== undefined) return readHeader(authorization);
  if (sessionCookie === undefined || sessionCookie === '') return undefined;
  return { scheme: 'cookie', token: sessionCookie };
}

function readHeader(authorization: string): Credentials {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([\w.~+/=-]+) *$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
    // Scheme of webhook clients for code hosting platforms, such as Octokit.
    case 'token':
      return { scheme: 'bearer', token: value };
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString('utf8');
      const colon = pair.indexOf(':');
      if (colon >= 0)
        return { scheme: 'basic', username: pair.slice(0, colon), password: pair.slice(colon + 1) };
      break;
    }
    default:
  }
  throw new AppError(
    'unauthorized',
    'Invalid Authorization header. Use "Bearer TOKEN", or "Basic" with the Base64 of "NAME:PASSWORD".',
  );
}

/**
 * Returns a predicate for service paths, which need no credentials. Percent escapes are not decoded, so escaped paths
 * need credentials.
 * @param patterns paths in which `*` matches any part of one segment
 */
export function matchServicePaths(patterns: readonly string[]): (path: string) => boolean {
  const split = patterns.map((pattern) => pattern.split('/').map((segment) => segment.split('*')));
  return (path) => {
    const segments = path.split('/');
    return split.some(
      (patternSegments) =>
        patternSegments.length === segments.length &&
        patternSegments.every((each, index) => fits(each, segments[index]!)),
    );
  };
}

/** Whether the parts occur in the segment in order, the first at its start and the last at its end. */
function fits([first = '', ...rest]: readonly string[], segment: string): boolean {
  const last = rest.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let end = first.length;
  for (const part of rest) {
    const start = segment.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return segment.length - last.length >= end && segment.endsWith(last);
}
