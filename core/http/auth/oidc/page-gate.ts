import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInPath } from '../../../auth/oidc/paths.ts';
import { AppError } from '../../../base/errors.ts';
import { findPublicUrl, prefixOf, wantsPage, type OidcServer } from './oidc-server.ts';

/**
 * Sends a browser that asks for the web UI without a session to the provider, and takes its expired cookie away
 * (seed 1, Authentication). Calls of the API are answered with 401 instead.
 */
export function gatePage(app: FastifyInstance, server: OidcServer): void {
  const { cookie } = server;
  app.addHook('onRequest', async (request, reply) => {
    if (!isPage(request) || !wantsPage(request) || request.headers.authorization !== undefined)
      return undefined;
    const token = cookie.read(request);
    if (token === undefined || token === '') {
      // A link of another site does not carry the cookie that may be there; the page itself asks for it.
      if (request.headers['sec-fetch-site'] === 'cross-site') return undefined;
    } else if (await isValid(server, token, request)) return undefined;
    else cookie.clear(reply);
    const returnTo = encodeURIComponent(prefixOf(server) + request.url);
    const address = `${findPublicUrl(server, request)}${signInPath}?returnTo=${returnTo}`;
    return reply.header('cache-control', 'no-store').redirect(address, 302);
  });
}

/** The web UI has one page; it routes behind `#`. */
const isPage = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/(index\.html)?(\?|$)/.test(url);

async function isValid({ auth }: OidcServer, token: string, request: FastifyRequest): Promise<boolean> {
  try {
    await auth.authenticate({ scheme: 'cookie', token }, { address: request.ip });
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unauthorized') return false;
    throw thrown;
  }
}
