import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

/** Returns a function that removes the base path from a URL before routing; other paths stay unchanged. */
export const stripBasePath =
  (basePath: string) =>
  ({ url = '/' }: IncomingMessage): string =>
    isUnder(url, basePath) ? url.slice(basePath.length) : url;

/**
 * Rejects paths outside the base path, and redirects the base path without its trailing slash, because the page uses
 * relative URLs.
 * @param basePath empty, or for example `/flows`
 */
export function guardBasePath(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onRequest', async ({ originalUrl, method }, reply) => {
    const [path = ''] = originalUrl.split('?', 1);
    if (isUnder(originalUrl, basePath)) return undefined;
    const reads = method === 'GET' || method === 'HEAD';
    if (path === basePath && reads)
      return reply.redirect(`${basePath}/${originalUrl.slice(path.length)}`, 308);
    throw new AppError('not_found', `Not found: ${path}. This server is at ${basePath}/.`);
  });
}

const isUnder = (url: string, basePath: string): boolean => url.startsWith(`${basePath}/`);
