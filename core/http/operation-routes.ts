import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EngineApi } from '../api/engine-host.ts';
import { getPrefix } from '../contract/transport.ts';
import { readTraceContext, type TraceContext } from '../model/trace-context.ts';
import type { Operation } from '../contract/operation.ts';
import { operations, type OperationName } from '../contract/operations.ts';
import { isShared } from '../api/caches.ts';
import { readInput } from './read-input.ts';

/** Called with the output of an operation before the response is sent. */
export type ResponseListener = (name: OperationName, output: unknown, reply: FastifyReply) => void;

/** Adds a route per operation; GET routes also serve HEAD. */
export function addOperationRoutes(
  app: FastifyInstance,
  api: EngineApi,
  listeners: readonly ResponseListener[] = [],
): void {
  for (const name of listNames(operations)) addOperationRoute(app, { api, name, listeners });
}

function addOperationRoute(
  app: FastifyInstance,
  {
    api,
    name,
    listeners,
  }: {
    readonly api: EngineApi;
    readonly name: OperationName;
    readonly listeners: readonly ResponseListener[];
  },
): void {
  const operation: Operation = operations[name];
  const pattern = toRoutePattern(operation);
  // Both spellings, because some client generators do not support a trailing slash.
  const urls = pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern];
  for (const url of urls)
    app.route<{ Params: Record<string, string> }>({
      method: withHeadMethod(operation.method),
      url,
      ...(operation.maxBodyBytes !== undefined && { bodyLimit: operation.maxBodyBytes }),
      config: { operation: name, ...(operation.public === true ? { isOpen: true } : {}) },
      handler: async (request, reply) => {
        const input = readInput(operation, {
          url: request.url,
          pathValues: request.params,
          body: request.body,
        });
        // The engine API validates the input.
        const output = await api.call(name, input, {
          ...request.caller,
          trace: getTrace(request.headers),
        });
        void reply.code(operation.status ?? 200);
        for (const listen of listeners) listen(name, output, reply);
        return isShared(output) ? sendCached(reply, output) : output;
      },
    });
}

/** Returns both methods for one route, because a separate HEAD route takes as long to add as GET. */
export const withHeadMethod = <Method extends string>(method: Method): (Method | 'HEAD')[] =>
  method === 'GET' ? [method, 'HEAD'] : [method];

/** Returns the trace context. Node joins repeated `traceparent` headers, which makes them invalid. */
const getTrace = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined =>
  typeof traceparent === 'string'
    ? readTraceContext({ traceparent, tracestate: [tracestate].flat().join(',') })
    : undefined;

/** Converts `/dags/{fileName}` to `/api/v2/dags/:fileName`. */
export const toRoutePattern = (mounted: Pick<Operation, 'path' | 'version'>): string =>
  getPrefix(mounted) + mounted.path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Returns the keys of a table with their literal types. */
export const listNames = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];

/** Encoded responses of immutable objects, cached as long as the object exists. */
const encoded = new WeakMap<object, Buffer>();

/** Sends a response shared by many requests, encoded once. */
function sendCached(reply: FastifyReply, response: object): FastifyReply {
  let bytes = encoded.get(response);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(response));
    encoded.set(response, bytes);
  }
  return reply.type('application/json; charset=utf-8').send(bytes);
}
