import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { EngineApi } from '../../api/engine-host.ts';
import { checkRole } from '../../api/guards/permissions.ts';
import type { Logger } from '../../base/logger.ts';
import type { OperationName } from '../../contract/operations.ts';
import { apiHeaders } from '../response-headers.ts';
import { addDispatchRoute } from './dispatch-route.ts';
import { WebhookRoutes } from './webhook-routes.ts';
import { sendWebhookApiError } from './error-json.ts';
import { webhookTargets, ownerOf, type TargetParams } from './targets.ts';

/**
 * Adds GitHub-compatible webhook routes, which call the same operations with the same permissions.
 * @param basePath path prefix
 */
export function addWebhookRoutes(
  app: FastifyInstance,
  {
    api,
    basePath = '',
    logger,
  }: { readonly api: EngineApi; readonly basePath?: string; readonly logger: Logger },
): void {
  void app.register((scope, _options, done) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, isGuarded: true }));
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers(apiHeaders);
      assertRole(api, request);
    });
    scope.setErrorHandler((error, request, reply) => sendWebhookApiError(error, request, reply, logger));
    for (const target of webhookTargets) new WebhookRoutes(api, target, basePath).register(scope);
    addDispatchRoute(scope, api);
    for (const root of new Set(webhookTargets.map(({ prefix }) => prefix.split('/')[1]!)))
      scope.route({ method: missingMethods, url: `/${root}/*`, handler: throwNotFound });
    done();
  });
}

/** Checks the role before the body is parsed, so that an unauthorized caller learns nothing about the fields. */
function assertRole(api: EngineApi, { routeOptions, params, caller }: FastifyRequest): void {
  const { operation } = routeOptions.config;
  if (operation === undefined) return;
  const { hookId, ...path } = params as TargetParams;
  const isId = hookId !== undefined && /^\d{1,15}$/.test(hookId);
  const input = { owner: ownerOf(path), ...(isId && { hookId: Number(hookId) }) };
  checkRole(api, { name: operation as OperationName, input, caller });
}

const missingMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Rejects unknown paths and methods in the format of these clients. */
function throwNotFound({ method, url }: FastifyRequest): never {
  throw new AppError(
    'not_found',
    `Not found: ${method} ${url.split('?', 1)[0]}. See docs/webhooks.md for all endpoints.`,
  );
}
