import type { FastifyInstance } from 'fastify';
import type { EngineApi } from '../../api/engine-host.ts';
import type { Logger } from '../../base/logger.ts';
import { apiHeaders } from '../response-headers.ts';
import { addDispatchRoute } from './dispatch-route.ts';
import { HookRoutes } from './hook-routes.ts';
import { sendConventionalRefusal } from './refusal-json.ts';
import { hookTargets } from './targets.ts';

/**
 * Webhooks in the addresses and shapes that their clients know: another way to the operations, with the same rights.
 * @param basePath what comes before every path
 */
export function addHookRoutes(
  app: FastifyInstance,
  {
    api,
    basePath = '',
    logger,
  }: { readonly api: EngineApi; readonly basePath?: string; readonly logger: Logger },
): void {
  void app.register((scope, _options, done) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, isGuarded: true }));
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(apiHeaders));
    scope.setErrorHandler((error, request, reply) => sendConventionalRefusal(error, request, reply, logger));
    for (const target of hookTargets) new HookRoutes(api, target, basePath).register(scope);
    addDispatchRoute(scope, api);
    done();
  });
}
