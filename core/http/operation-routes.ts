import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller, EngineApi } from '../api/engine-host.ts';
import { apiPrefix } from '../contract/transport/http-wire.ts';
import { readTraceContext, type TraceContext } from '../model/trace-context.ts';
import { operations, type OperationName } from '../contract/operations.ts';
import { readInput } from './read-input.ts';

/** Until authentication is on, everybody who reaches the server is one caller. */
export const httpCaller: Caller = { via: 'http', name: 'http' };

/** One route for each operation of the table; GET routes answer HEAD as well. */
export function addOperationRoutes(app: FastifyInstance, api: EngineApi): void {
  for (const name of listNames(operations)) addOperationRoute(app, api, name);
}

function addOperationRoute(app: FastifyInstance, api: EngineApi, name: OperationName): void {
  const operation = operations[name];
  app.route<{ Params: Record<string, string> }>({
    method: operation.method,
    url: toRoutePattern(operation.path),
    handler: (request) => {
      const input = readInput(operation, {
        url: request.url,
        pathValues: request.params,
        body: request.body,
      });
      // Only the engine API judges whether it is such an input.
      return api.call(name, input, { ...httpCaller, trace: traceOf(request.headers) });
    },
  });
}

/** Of several fields `traceparent` none counts: Node joins them, which is no field then. */
const traceOf = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined =>
  typeof traceparent === 'string'
    ? readTraceContext({ traceparent, tracestate: [tracestate].flat().join(',') })
    : undefined;

/** `/dags/{fileName}` → `/api/v2/dags/:fileName`. */
export const toRoutePattern = (path: string): string => apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The keys of a table by their literal type. */
export const listNames = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];
