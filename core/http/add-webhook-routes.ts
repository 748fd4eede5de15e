import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { EngineApi } from '../api/engine-api.ts';
import { findPermissionError } from '../api/create-api.ts';
import type { Logger } from '../base/logger.ts';
import { operations, type OperationName } from '../contract/operations.ts';
import type { JsonObject } from '../base/json.ts';
import { isOwnerName } from '../webhooks/check-webhook.ts';
import { toRepositoryObject } from '../store/webhook-events/repository.ts';
import { apiHeaders } from './origin-guard.ts';
import { WebhookRoutes } from './webhook-routes.ts';
import {
  sendWebhookApiError,
  webhookTargets,
  getOwner,
  type TargetParams,
  toValidationError,
  type BodyProblem,
} from './webhook-json.ts';

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
      await assertRole(api, request);
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
async function assertRole(api: EngineApi, { routeOptions, params, caller }: FastifyRequest): Promise<void> {
  const { operation } = routeOptions.config;
  if (operation === undefined) return;
  const name = operation as OperationName;
  const denied = findPermissionError(name, operations[name], caller);
  if (denied === undefined) return;
  const { hookId, ...path } = params as TargetParams;
  const isId = hookId !== undefined && /^\d{1,15}$/.test(hookId);
  const input = { owner: getOwner(path), ...(isId && { hookId: Number(hookId) }) };
  await api.recordRejection?.(name, input, caller, denied.code);
  throw denied;
}

const missingMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Rejects unknown paths and methods in the format of these clients. */
function throwNotFound({ method, url }: FastifyRequest): never {
  throw new AppError(
    'not_found',
    `Not found: ${method} ${url.split('?', 1)[0]}. See docs/webhooks.md for all endpoints.`,
  );
}

const limits = { type: 100, keys: 10, bytes: 65_535 } as const;

/** Adds `POST /repos/{owner}/{repo}/dispatches`: an event `repository_dispatch`. */
function addDispatchRoute(app: FastifyInstance, api: EngineApi): void {
  const config = { operation: 'webhooks.emit' } as const;
  app.post<{ Params: TargetParams }>('/repos/:owner/:repo/dispatches', { config }, async (request, reply) => {
    const { type, clientPayload } = readDispatch(request.body);
    const name = getOwner(request.params);
    if (!isOwnerName('repository', name))
      throw new AppError('not_found', `Invalid repository name "${name}".`);
    const repository = toRepositoryObject(name);
    const payload = {
      action: type,
      branch: repository['default_branch'] ?? null,
      client_payload: clientPayload,
      repository,
    };
    await api.call('webhooks.emit', { event: 'repository_dispatch', payload }, request.caller);
    return reply.code(204).send();
  });
}

function readDispatch(body: unknown): { type: string; clientPayload: JsonObject | null } {
  const fields = isObject(body) ? body : {};
  const problems: BodyProblem[] = [];
  const addProblem = (field: string, message: string, code: BodyProblem['code'] = 'invalid'): void =>
    void problems.push({ field, code, message });
  const { event_type: type, client_payload: payload } = fields;
  if (type === undefined) addProblem('event_type', '"event_type" is required.', 'missing_field');
  else if (typeof type !== 'string' || type === '' || [...type].length > limits.type)
    addProblem('event_type', `"event_type" must be a string of 1 to ${limits.type} characters.`);
  if (payload !== undefined && payload !== null) checkPayload(payload, addProblem);
  if (problems.length > 0) throw toValidationError('RepositoryDispatch', problems);
  return { type: typeof type === 'string' ? type : '', clientPayload: isObject(payload) ? payload : null };
}

function checkPayload(payload: unknown, addProblem: (field: string, message: string) => void): void {
  if (!isObject(payload)) return addProblem('client_payload', '"client_payload" must be an object.');
  const count = Object.keys(payload).length;
  if (count > limits.keys)
    addProblem('client_payload', `"client_payload" must have at most ${limits.keys} keys (has ${count}).`);
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes > limits.bytes)
    addProblem(
      'client_payload',
      `"client_payload" must have at most ${limits.bytes} bytes as JSON (has ${bytes}).`,
    );
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
