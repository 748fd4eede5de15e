import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

/** Takes the base path off an address before it is looked up; what lies elsewhere stays as it is. */
export const stripBasePath =
  (basePath: string) =>
  ({ url = '/' }: IncomingMessage): string =>
    isBelow(url, basePath) ? url.slice(basePath.length) : url;

/**
 * Refuses what lies outside the base path, and sends who forgot the slash behind it there: the page names its files
 * by relative addresses.
 * @param basePath empty, or such as `/flows`
 */
export function guardBasePath(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onRequest', async ({ originalUrl, method }, reply) => {
    const [path = ''] = originalUrl.split('?', 1);
    if (isBelow(originalUrl, basePath)) return undefined;
    const reads = method === 'GET' || method === 'HEAD';
    if (path === basePath && reads)
      return reply.redirect(`${basePath}/${originalUrl.slice(path.length)}`, 308);
    throw new AppError('not_found', `Not found: ${path}. This server is at ${basePath}/.`);
  });
}

const isBelow = (url: string, basePath: string): boolean => url.startsWith(`${basePath}/`);
