import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { apiPrefix } from '../contract/transport.ts';
import type { EngineMetrics } from '../api/metrics/engine-metrics.ts';
import { isApiPath } from './missing-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation or stream name for metrics. */
    operation?: string;
    /** Ends when its reader disconnects, so that its duration is meaningless. */
    isStream?: true;
  }
}

/**
 * Counts requests by operation and serves `/metrics`. Added before all other hooks, so that rejected requests count
 * too.
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
    metrics.http.recordRequest({
      operation: getName(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}

/** Returns a name from a fixed set, because clients choose arbitrary paths. */
function getName({ routeOptions, url, is404 }: FastifyRequest): string {
  const { operation } = routeOptions.config;
  if (operation !== undefined) return operation;
  if (!isApiPath(url)) return 'web';
  return is404 ? 'unknown' : 'other';
}
