import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { apiPrefix, getPrefix, v1Prefix } from '../contract/transport.ts';
import type { Operation } from '../contract/operation.ts';
import { receiverPrefix } from './receiver-routes.ts';
import { operations, streams } from '../contract/operations.ts';

interface RoutePath {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

const knownPaths: readonly RoutePath[] = [
  ...Object.values<Operation>(operations).map((operation) =>
    routePath(operation.path, operation.method, getPrefix(operation)),
  ),
  ...Object.values(streams).map(({ path }) => routePath(path, 'GET')),
  routePath('/dag-runs/{name}/{dagRunId}/artifacts/{artifact}', 'GET'),
  routePath('/openapi.json', 'GET'),
  routePath('/metrics', 'GET'),
  routePath('/health', 'GET', v1Prefix),
  routePath('/quotes', 'GET', v1Prefix),
];

/**
 * Responds to unknown routes: 405 with `Allow` for a known API path, otherwise 404; plain text outside the
 * API.
 */
export function respondToMissingRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0]!;
  if (path.startsWith(receiverPrefix)) throw new AppError('not_found', 'No webhook receiver at this URL.');
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

/** Responds to unknown routes before the body is parsed, because an unknown method may have any body. */
export function rejectMissingRoutes(app: FastifyInstance, isElsewhere: (url: string) => boolean): void {
  app.addHook('onRequest', async (request, reply) =>
    request.is404 && !isElsewhere(request.url) ? respondToMissingRoute(request, reply) : undefined,
  );
}

/** Whether a URL path, with or without query, belongs to the API and not the web UI. */
export const isApiPath = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);

/**
 * Returns the methods of a path; empty if unknown. As in OpenAPI, a path without parameters wins over one with
 * parameters.
 */
export function findAllowedMethods(path: string): string[] {
  const segments = path.split('/');
  const fitting = knownPaths.filter((candidate) => matches(candidate.segments, segments));
  const fewest = Math.min(...fitting.map(({ segments: pieces }) => countFields(pieces)));
  const matching = fitting.filter(({ segments: pieces }) => countFields(pieces) === fewest);
  return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
}

function routePath(path: string, method: string, prefix = apiPrefix): RoutePath {
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
