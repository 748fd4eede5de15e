import { wait } from '../../base/wait.ts';
import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { openClient } from '../../contract/client/client.ts';
import type { Caller, EngineApi } from '../../api/engine-api.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/run-views.ts';
import type { Bridge } from '../../contract/transport.ts';
import { type RunRef, isFinal } from '../../model/run.ts';
import type { ClientResponse, Send, RequestOptions } from '../../contract/client/send.ts';
import type { CommandContext, ServerTarget } from '../command-context.ts';
import type { EngineClient, RunOutcome } from './engine-client.ts';
import { enqueueOnServer, startNamedOnServer, startOnServer, remoteWorkflows } from './server-requests.ts';

/** Connects to a server over HTTP. Nothing is sent before the first call. Throws `bad_request` for an invalid URL. */
export function connectToServer({ url, token }: ServerTarget, context: CommandContext): EngineClient {
  return remoteEngine(
    openClient({ url, token, trace: context.caller.trace, clock: context.clock, fetch: sendRequest }),
    url,
    context,
  );
}

/** A connection to a server from `core/contract/client`. */
export interface ServerConnection extends Pick<Bridge, 'call' | 'follow'> {
  close(): void;
}

/** Polling interval for a run whose event stream was closed by the server, in milliseconds. */
const pollIntervalMs = 1000;

/** Returns the API of a server. Local files are sent with their content. */
export function remoteEngine(
  connection: ServerConnection,
  url: string,
  { cwd, clock, caller }: Pick<CommandContext, 'cwd' | 'clock' | 'caller'>,
): EngineClient {
  const api: EngineApi = {
    call: (name, input) => connection.call(name, input),
    follow: (name, input, observer) => connection.follow(name, input, observer),
  };
  const workflows = remoteWorkflows(api, caller, cwd, url);
  const waitController = new AbortController();
  /** Ids of runs started by this command. */
  const started = new Set<string>();
  const begin = async (starting: Promise<RunRef>): Promise<RunRef> => {
    const run = await starting;
    started.add(run.dagRunId);
    return run;
  };
  const waitContextFor = ({ dagRunId }: RunRef): WaitContext => {
    return { api, clock, caller, signal: waitController.signal, isNew: started.has(dagRunId) };
  };
  return {
    api,
    location: url,
    isRemote: true,
    workflows,
    startRun: (request) => begin(startOnServer(api, request, caller)),
    startNamed: (argument, request) =>
      begin(startNamedOnServer(argument, request, { api, caller, workflows })),
    enqueueRun: async (request) => enqueueOnServer(api, request, caller),
    waitForEnd: (run) => waitForEnd(run, waitContextFor(run)),
    waitForOutcome: (run) => waitForOutcome(run, waitContextFor(run)),
    forceStop: () => waitController.abort(),
    sendWebhooks: () => Promise.resolve(),
    hasOrphans: () => Promise.resolve(false),
    close: async () => connection.close(),
  };
}

interface WaitContext {
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly caller: Caller;
  /** Aborted when waiting stops. */
  readonly signal: AbortSignal;
  /** Whether the run has just started, so that checking its state first would waste a request. */
  readonly isNew: boolean;
}

async function waitForEnd(run: RunRef, waiting: WaitContext): Promise<RunDetailView> {
  const { name, dagRunId } = run;
  if (waiting.isNew) await waitForNextCheck(run, 0, waiting);
  for (;;) {
    const detail = await waiting.api.call('runs.get', { name, dagRunId }, waiting.caller);
    if (isFinal(detail.status)) return detail;
    await waitForNextCheck(run, detail.lastEventId, waiting);
  }
}

async function waitForOutcome(run: RunRef, waiting: WaitContext): Promise<RunOutcome> {
  const end = waiting.isNew ? await waitForNextCheck(run, 0, waiting) : undefined;
  return end ?? waitForEnd(run, { ...waiting, isNew: false });
}

/**
 * Resolves when the run should be checked: with its outcome, or without if the event stream has ended. Rejects with
 * `unavailable` when waiting stops.
 */
async function waitForNextCheck(
  run: RunRef,
  after: number,
  waiting: WaitContext,
): Promise<RunOutcome | undefined> {
  const end = await followToEnd(run, after, waiting);
  if (waiting.signal.aborted) {
    throw new AppError(
      'unavailable',
      `Run ${run.dagRunId} of ${run.name} is still stopping on the server. Check with "engine status".`,
    );
  }
  if (end === undefined) await wait(waiting.clock, pollIntervalMs);
  return end;
}

/** Resolves when the run or its event stream ends. */
function followToEnd(
  { name, dagRunId }: RunRef,
  after: number,
  { api, caller, signal }: WaitContext,
): Promise<RunOutcome | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<RunOutcome | undefined>();
  const leave = api.follow(
    'events.follow',
    { name, dagRunId, after },
    {
      item: ({ event }) => event.type === 'run.finished' && resolve(event),
      end: (error) =>
        error === undefined ? resolve(undefined) : reject(new AppError(error.code, error.message)),
    },
    caller,
  );
  const resolveEmpty = (): void => resolve(undefined);
  signal.addEventListener('abort', resolveEmpty);
  return promise.finally(() => {
    signal.removeEventListener('abort', resolveEmpty);
    leave();
  });
}

/** Connection timeout in milliseconds; the same as with `fetch`. */
const connectMs = 10_000;

/**
 * Sends a request with Node's HTTP client, which loads in a fifth of the time of `fetch`. Most of a short command's
 * time is loading. Only redirects use `fetch`.
 */
export const sendRequest: Send = async (url, request) => {
  const message = await openRequest(url, request);
  const { statusCode: status = 0, headers } = message;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    message.resume();
    return fetch(url, request);
  }
  return toClientResponse(status, message);
};

async function openRequest(
  url: string,
  { method, headers, body, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const start = url.startsWith('https:') ? (await import('node:https')).request : requestPlain;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent: ClientRequest = start(url, { method, headers, timeout: connectMs }, resolve);
  sent.on('error', reject);
  // The `signal` option would also watch the end of each request, which takes as long as sending it.
  const abort = (): void => void sent.destroy(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  // Emitted for any inactivity of the connection; a stream may have no data to send.
  sent.once('timeout', () => {
    if (sent.socket?.connecting) sent.destroy(new Error(`connection timed out after ${connectMs / 1000} s`));
  });
  sent.end(body);
  return promise;
}

function toClientResponse(status: number, message: IncomingMessage): ClientResponse {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return {
    ok: status >= 200 && status < 300,
    status,
    body: { getReader: () => ({ read: () => chunks.next() }) },
    async text() {
      const read: Uint8Array[] = [];
      for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) read.push(chunk.value);
      return Buffer.concat(read).toString();
    },
  };
}
