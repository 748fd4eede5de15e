import type { Clock, Dispose } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport/bridge.ts';
import { apiPrefix, listPathFields, sendsInputInQuery } from '../../core/contract/transport/http-wire.ts';
import { operations, streams } from '../../core/contract/operations.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import { setConnection } from './connection.ts';
import { followEventStream } from './follow-event-stream.ts';
import { readErrorBody } from './read-error-body.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The bridge of a page that the loopback server itself has served (DESIGN D8). */
export function createHttpBridge(origin: string, clock: Clock): Bridge {
  return {
    transport: 'http',
    call: <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
      request(origin, name, input as Fields) as Promise<OperationOutput<Name>>,
    follow: <Name extends StreamName>(
      name: Name,
      input: StreamInput<Name>,
      observer: StreamObserver<StreamItem<Name>>,
    ): Dispose =>
      followEventStream({
        url: origin + buildUrl(streams[name].path, input, true),
        clock,
        fetch: (url, init) => fetch(url, init),
        onItem: (data) => observer.item(data as StreamItem<Name>),
        onEnd: (error) => observer.end(error),
        // One stream stands for the connection as a whole: the one that is always open.
        ...(name === 'events.follow' && {
          onOpen: () => setConnection('online'),
          onLost: () => setConnection('reconnecting'),
        }),
      }),
  };
}

async function request(origin: string, name: OperationName, input: Fields): Promise<unknown> {
  const { method, path } = operations[name];
  const inQuery = sendsInputInQuery(method);
  const response = await send(origin + buildUrl(path, input, inQuery), {
    method,
    headers: { accept: 'application/json', ...(!inQuery && { 'content-type': 'application/json' }) },
    ...(!inQuery && { body: JSON.stringify(omitPathFields(path, input)) }),
  });
  if (response.ok) return response.json();
  const { code, message, details } = await readErrorBody(response);
  throw new AppError(code, message, details === undefined ? {} : { details });
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new AppError('unavailable', 'The engine cannot be reached. Is it still running?', { cause });
  }
}

/** Path of an operation with its `{…}` segments filled in and, on demand, the other fields as its query. */
export function buildUrl(path: string, input: Fields, withQuery: boolean): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(input[field])),
  );
  if (!withQuery) return apiPrefix + filled;
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(omitPathFields(path, input))) query.set(field, String(value));
  return apiPrefix + filled + (query.size > 0 ? `?${query}` : '');
}

function omitPathFields(path: string, input: Fields): Record<string, unknown> {
  const inPath = new Set(listPathFields(path));
  return Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== undefined && !inPath.has(field)),
  );
}
