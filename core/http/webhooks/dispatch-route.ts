import type { FastifyInstance } from 'fastify';
import type { EngineApi } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { isOwnerName } from '../../webhooks/subscriptions/check-webhook.ts';
import { describeRepository } from '../../webhooks/sources/repository.ts';
import { toValidationError, type BodyProblem } from './error-json.ts';
import { ownerOf, type TargetParams } from './targets.ts';

const limits = { type: 100, keys: 10, bytes: 65_535 } as const;

/** Adds `POST /repos/{owner}/{repo}/dispatches`: an event `repository_dispatch`. */
export function addDispatchRoute(app: FastifyInstance, api: EngineApi): void {
  const config = { operation: 'webhooks.emit' } as const;
  app.post<{ Params: TargetParams }>('/repos/:owner/:repo/dispatches', { config }, async (request, reply) => {
    const { type, clientPayload } = readDispatch(request.body);
    const name = ownerOf(request.params);
    if (!isOwnerName('repository', name))
      throw new AppError('not_found', `Invalid repository name "${name}".`);
    const repository = describeRepository(name);
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
