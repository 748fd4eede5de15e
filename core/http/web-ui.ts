import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IncomingMessage } from 'node:http';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isApiPath, respondToMissingRoute } from './missing-routes.ts';
import { contentSecurityPolicy } from './origin-guard.ts';
import { receiverPrefix } from './receiver-routes.ts';

/** Content-hashed file names of the build, which are immutable: `assets/index-B4x9Zq_1.js`. */
const hashedAsset = /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+$/;

declare module 'fastify' {
  interface FastifyInstance {
    /** File of the web UI's index; absent if only the API is served. */
    indexFile?: string;
  }
}

/** Serves the built renderer. Its index is the response to the URL of each page, see {@link respondToPage}. */
export async function addWebUi(app: FastifyInstance, webRoot: string): Promise<void> {
  app.indexFile = path.join(webRoot, 'index.html');
  await app.register(fastifyStatic, {
    root: webRoot,
    index: ['index.html'],
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, file) => {
      void reply.header(
        'cache-control',
        hashedAsset.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      if (file.endsWith('.html')) void reply.header('content-security-policy', contentSecurityPolicy);
    },
  });
}

/**
 * Responds to a path without a route or file: with the index if a browser opens a page such as `/dags/etl`, otherwise
 * with an error.
 */
export async function respondToPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { indexFile } = request.server;
  const [page = ''] = request.url.split('?', 1);
  if (indexFile === undefined || !acceptsPage(request) || isElsewhere(page))
    return respondToMissingRoute(request, reply);
  // Relative, because a proxy may remove a part of the path.
  const depth = page.split('/').length - 2;
  // Read each time, because an update replaces the file.
  const indexHtml = await readFile(indexFile, 'utf8');
  return reply
    .headers({ 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy })
    .type('text/html; charset=utf-8')
    .send(indexHtml.replaceAll('"./', `"${'../'.repeat(depth) || './'}`));
}

const isElsewhere = (page: string): boolean =>
  isApiPath(page) || page.startsWith(receiverPrefix) || page.startsWith('/assets/');

function acceptsPage({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && headers.accept?.includes('text/html') === true;
}

/**
 * Whether a browser opens the page `/gateway`, which is also the root of the gateway's API. Other clients, and
 * `/gateway/`, get the API.
 */
export const opensGatewayPage = (request: IncomingMessage, url: string): boolean =>
  /^\/gateway(?:\?|$)/.test(url) && acceptsPage(request) && request.headers['sec-fetch-mode'] === 'navigate';
