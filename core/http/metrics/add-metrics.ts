import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { apiPrefix } from '../../contract/transport/http-wire.ts';
import type { EngineMetrics } from '../../metrics/engine-metrics.ts';
import { isApiPath } from '../routes/missing-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name in the tables of operations and streams; what metrics call the route. */
    operation?: string;
    /** It goes on until its reader leaves, which is no matter of speed. */
    isStream?: true;
  }
}

/**
 * Counts requests by operation and answers `/metrics`. Before every other hook: what those refuse is counted, too.
 */
export function addMetrics(app: FastifyInstance, metrics: EngineMetrics | undefined): void {
  const config = { operation: 'metrics' };
  app.get(`${apiPrefix}/metrics`, { config }, async (_request, reply) => {
    if (metrics === undefined) throw new AppError('not_found', 'Metrics are not available on this host.');
    const text = await metrics.render();
    return reply.type(metrics.contentType).send(text);
  });
  if (metrics === undefined) return;
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isStream === true && reply.statusCode < 300) return;
    metrics.http.answered({
      operation: nameOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}

/** One of as many names as there are routes: what a path says is for whoever sends it to choose. */
function nameOf({ routeOptions, url, is404 }: FastifyRequest): string {
  const { operation } = routeOptions.config;
  if (operation !== undefined) return operation;
  if (!isApiPath(url)) return 'web';
  return is404 ? 'unknown' : 'other';
}
