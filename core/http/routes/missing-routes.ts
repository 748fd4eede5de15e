import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { apiPrefix, prefixOf, v1Prefix } from '../../contract/transport/http-wire.ts';
import type { Operation } from '../../contract/operation.ts';
import { receiverPrefix } from '../receiver/receiver-path.ts';
import { operations, streams } from '../../contract/operations.ts';

interface KnownPath {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

const knownPaths: readonly KnownPath[] = [
  ...Object.values<Operation>(operations).map((operation) =>
    known(operation.path, operation.method, prefixOf(operation)),
  ),
  ...Object.values(streams).map(({ path }) => known(path, 'GET')),
  known('/dag-runs/{name}/{dagRunId}/artifacts/{artifact}', 'GET'),
  known('/openapi.json', 'GET'),
  known('/metrics', 'GET'),
  known('/health', 'GET', v1Prefix),
  known('/quotes', 'GET', v1Prefix),
];

/** Answers what no route takes: 405 with `Allow` for a known API path, also for one that takes webhooks, else 404; plain text outside the API. */
export function answerMissingRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0]!;
  if (path.startsWith(receiverPrefix)) {
    void reply.header('allow', 'POST');
    throw new AppError('method_not_allowed', `This URL receives webhooks with POST, not ${request.method}.`);
  }
  if (!isApiPath(path)) {
    return reply.code(404).type('text/plain; charset=utf-8').send('Not found.\n');
  }
  const allowed = findAllowedMethods(path);
  if (allowed.length === 0) {
    throw new AppError('not_found', `Not found: ${path}. See ${apiPrefix}/openapi.json for all endpoints.`);
  }
  void reply.header('allow', allowed.join(', '));
  throw new AppError(
    'method_not_allowed',
    `${path} does not support ${request.method}. Allowed methods: ${allowed.join(', ')}.`,
  );
}

/** Answers what no route takes before its body is looked at: a method that is not known may have any. */
export function refuseMissingEarly(app: FastifyInstance, isElsewhere: (url: string) => boolean): void {
  app.addHook('onRequest', async (request, reply) =>
    request.is404 && !isElsewhere(request.url) ? answerMissingRoute(request, reply) : undefined,
  );
}

/** Whether an address, with or without its query, belongs to the API rather than to the web UI. */
export const isApiPath = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);

/**
 * The methods that the table has for a path; none when the path is unknown. As in OpenAPI, a path without fields in
 * braces wins over one with them.
 */
export function findAllowedMethods(path: string): string[] {
  const segments = path.split('/');
  const fitting = knownPaths.filter((candidate) => matches(candidate.segments, segments));
  const fewest = Math.min(...fitting.map(({ segments: parts }) => countFields(parts)));
  const matching = fitting.filter(({ segments: parts }) => countFields(parts) === fewest);
  return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
}

function known(path: string, method: string, prefix = apiPrefix): KnownPath {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  return { segments: (prefix + path).split('/'), methods };
}

const countFields = (segments: readonly string[]): number =>
  segments.filter((part) => part.startsWith('{')).length;

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}
