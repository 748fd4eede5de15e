import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineApi } from '../api/engine-api.ts';
import { AppError, fieldError } from '../base/errors.ts';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../contract/operations.ts';
import { apiPrefix, v1Prefix } from '../contract/transport.ts';
import { readInput, type InputSource } from './operation-routes.ts';

/** Time at which version 2 replaced it: 2026-01-01, in seconds since 1970 (RFC 9745). */
const deprecatedSince = 1_767_225_600;

type NamedRequest = FastifyRequest<{ Params: { name: string } }>;

/**
 * Adds the health route of every version, with the response of version 2. It stays available when authentication
 * disables the rest of version 1, because a configured probe must not fail.
 */
export function addVersionedHealth(app: FastifyInstance, api: EngineApi): void {
  app.get('/api/:version(^v\\d+$)/health', (request) =>
    call(api, request, 'system.health', read(operations['system.health'], request, {})),
  );
}

/**
 * Adds the old API based on the operations of the new one: list, detail, action. Only for a server without
 * authentication.
 * @param basePath path prefix, for links in responses
 */
export function addV1Routes(app: FastifyInstance, api: EngineApi, basePath = ''): void {
  app.get(`${v1Prefix}/dags`, (request, reply) => {
    deprecate(reply, basePath);
    return call(api, request, 'dags.list', read(operations['dags.list'], request, {}));
  });
  app.get(`${v1Prefix}/dags/:name`, (request: NamedRequest, reply) => {
    deprecate(reply, basePath, request.params.name);
    return call(api, request, 'dags.get', { fileName: request.params.name });
  });
  app.post(`${v1Prefix}/dags/:name`, (request: NamedRequest, reply) => {
    deprecate(reply, basePath, request.params.name);
    return act(api, request);
  });
}

/**
 * Adds deprecation headers: since when (RFC 9745), and links to the documentation and successor (RFC 5829). No
 * `Sunset` (RFC 8594), because no end date is set.
 */
function deprecate(reply: FastifyReply, basePath: string, name?: string): void {
  const api = `${basePath}${apiPrefix}`;
  const successor = name === undefined ? `${api}/dags` : `${api}/dags/${encodeURIComponent(name)}`;
  const links = [
    `<${successor}>; rel="successor-version"`,
    `<${api}/openapi.json>; rel="deprecation"; type="application/json"`,
  ];
  void reply.headers({ deprecation: `@${deprecatedSince}`, link: links.join(', ') });
}

const read = (source: InputSource, request: FastifyRequest, pathValues: Record<string, string>) =>
  readInput(source, { url: request.url, pathValues, body: undefined });

/** Calls an operation. The engine API validates the input. */
const call = <Name extends OperationName>(
  api: EngineApi,
  request: FastifyRequest,
  name: Name,
  input: object,
): Promise<OperationOutput<Name>> => api.call(name, input as OperationInput<Name>, request.caller);

async function act(api: EngineApi, request: NamedRequest): Promise<unknown> {
  const fileName = request.params.name;
  const { action, value, requestId, params, step } = readAction(request.body);
  switch (action) {
    case 'start':
      return call(api, request, 'dags.start', { fileName, params, dagRunId: requestId });
    case 'suspend':
      return call(api, request, 'dags.suspend', { fileName, suspend: value !== 'false' });
    case 'retry': {
      const { name } = await call(api, request, 'dags.get', { fileName });
      return call(api, request, 'runs.retry', { name, dagRunId: requestId ?? 'latest', stepName: step });
    }
    case 'stop': {
      if (requestId === undefined) return stopAll(api, request, fileName);
      const { name } = await call(api, request, 'dags.get', { fileName });
      return call(api, request, 'runs.stop', { name, dagRunId: requestId });
    }
  }
}

async function stopAll(api: EngineApi, request: FastifyRequest, fileName: string): Promise<unknown> {
  const outcome = await call(api, request, 'dags.stopAll', { fileName });
  if (outcome.stopped > 0 || outcome.errors.length > 0) return outcome;
  throw new AppError('not_running', `${fileName} has no active run.`);
}

/** Actions of the old API on a workflow. */
const actions = ['start', 'stop', 'retry', 'suspend'] as const;

const fields = ['action', 'value', 'requestId', 'params', 'step'] as const;

/** An action of the old API. */
export interface Action {
  readonly action: (typeof actions)[number];
  /** `false` resumes a schedule. */
  readonly value?: string;
  /** Run id. */
  readonly requestId?: string;
  readonly params?: string;
  readonly step?: string;
}

/** Parses the body of an action; empty strings count as absent. Throws `bad_request` with the field name. */
function readAction(body: unknown): Action {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('bad_request', 'The request body must be a JSON object with an action.');
  const options: Partial<Record<(typeof fields)[number], string>> = {};
  for (const [field, value] of Object.entries(body)) {
    const known = fields.find((name) => name === field);
    if (known === undefined) throw fieldError(field, `unknown field. Known fields: ${fields.join(', ')}.`);
    if (typeof value !== 'string' && typeof value !== 'boolean') throw fieldError(field, 'must be a string');
    if (value !== '') options[known] = String(value);
  }
  const action = actions.find((name) => name === options.action);
  if (action === undefined) throw fieldError('action', `must be one of ${actions.join(', ')}`);
  return { ...options, action };
}
