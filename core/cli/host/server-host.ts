import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { Bridge } from '../../contract/transport/bridge.ts';
import type { RunRef } from '../../model/run/run.ts';
import { isFinal } from '../../model/run/status.ts';
import type { CommandContext } from '../command-context.ts';
import type { HostApi } from './host-api.ts';
import { enqueueOnServer, startOnServer } from './server-requests.ts';
import { serverWorkflows } from './server-workflows.ts';

/** A connection to a server, as `core/client` makes it. */
export interface ServerConnection extends Pick<Bridge, 'call' | 'follow'> {
  close(): void;
}

/** Between two looks at a run whose stream of events the server has closed, in milliseconds. */
const lookAgainMs = 1000;

/** A home behind a server. Files of this machine are sent as their text. */
export function serverHost(
  connection: ServerConnection,
  url: string,
  { cwd, clock, caller }: Pick<CommandContext, 'cwd' | 'clock' | 'caller'>,
): HostApi {
  const api: EngineApi = {
    call: (name, input) => connection.call(name, input),
    follow: (name, input, observer) => connection.follow(name, input, observer),
  };
  const given = new AbortController();
  return {
    api,
    place: url,
    isRemote: true,
    workflows: serverWorkflows({ api, caller, cwd, url }),
    startRun: async (request) => startOnServer(api, request, caller),
    enqueueRun: async (request) => enqueueOnServer(api, request, caller),
    waitForEnd: (run) => waitForEnd(api, run, { clock, caller, signal: given.signal }),
    forceStop: () => given.abort(),
    sendWebhooks: () => Promise.resolve(),
    hasOrphans: () => false,
    close: async () => connection.close(),
  };
}

interface Waiting {
  readonly clock: Clock;
  readonly caller: Caller;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

async function waitForEnd(api: EngineApi, run: RunRef, waiting: Waiting): Promise<RunDetailView> {
  for (;;) {
    const detail = await api.call('runs.get', { name: run.name, dagRunId: run.dagRunId }, waiting.caller);
    if (isFinal(detail.status)) return detail;
    const ended = await nextEnd(api, detail, waiting);
    if (waiting.signal.aborted) {
      throw new AppError(
        'unavailable',
        `the run ${run.dagRunId} of ${run.name} is still stopping on the server; engine status shows when it has`,
      );
    }
    if (!ended) await new Promise<void>((resolve) => waiting.clock.after(lookAgainMs, resolve));
  }
}

/** Resolves with true when the run ends, with false when its stream of events does before. */
function nextEnd(
  api: EngineApi,
  { name, dagRunId, lastEventId }: RunDetailView,
  { caller, signal }: Waiting,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const leave = api.follow(
    'events.follow',
    { name, dagRunId, after: lastEventId },
    {
      item: ({ event }) => event.type === 'run.finished' && resolve(true),
      end: (error) =>
        error === undefined ? resolve(false) : reject(new AppError(error.code, error.message)),
    },
    caller,
  );
  const give = (): void => resolve(false);
  signal.addEventListener('abort', give);
  return promise.finally(() => {
    signal.removeEventListener('abort', give);
    leave();
  });
}
