import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { Bridge } from '../../contract/transport/bridge.ts';
import type { RunRef } from '../../model/run/run.ts';
import { isFinal } from '../../model/run/status.ts';
import type { CommandContext } from '../command-context.ts';
import type { HostApi, RunOutcome } from './host-api.ts';
import { enqueueOnServer, startNamedOnServer, startOnServer } from './server-requests.ts';
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
  const workflows = serverWorkflows({ api, caller, cwd, url });
  const given = new AbortController();
  /** By their ids, those that this command has begun. */
  const begun = new Set<string>();
  const begin = async (starting: Promise<RunRef>): Promise<RunRef> => {
    const run = await starting;
    begun.add(run.dagRunId);
    return run;
  };
  const waitingFor = ({ dagRunId }: RunRef): Waiting => {
    return { api, clock, caller, signal: given.signal, isNew: begun.has(dagRunId) };
  };
  return {
    api,
    place: url,
    isRemote: true,
    workflows,
    startRun: (request) => begin(startOnServer(api, request, caller)),
    startNamed: (argument, request) =>
      begin(startNamedOnServer(argument, request, { api, caller, workflows })),
    enqueueRun: async (request) => enqueueOnServer(api, request, caller),
    waitForEnd: (run) => waitForEnd(run, waitingFor(run)),
    waitForOutcome: (run) => waitForOutcome(run, waitingFor(run)),
    forceStop: () => given.abort(),
    sendWebhooks: () => Promise.resolve(),
    hasOrphans: () => false,
    close: async () => connection.close(),
  };
}

interface Waiting {
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly caller: Caller;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** The run has just begun: its end is still to come, and a look at it beforehand would only take time. */
  readonly isNew: boolean;
}

async function waitForEnd(run: RunRef, waiting: Waiting): Promise<RunDetailView> {
  const { name, dagRunId } = run;
  if (waiting.isNew) await nextEnd(run, 0, waiting);
  for (;;) {
    const detail = await waiting.api.call('runs.get', { name, dagRunId }, waiting.caller);
    if (isFinal(detail.status)) return detail;
    await nextEnd(run, detail.lastEventId, waiting);
  }
}

async function waitForOutcome(run: RunRef, waiting: Waiting): Promise<RunOutcome> {
  const end = waiting.isNew ? await nextEnd(run, 0, waiting) : undefined;
  return end ?? waitForEnd(run, { ...waiting, isNew: false });
}

/**
 * Resolves when it is worth a look at the run: with its end, or without one when its events have stopped coming. Rejects
 * with `unavailable` when nobody waits any more.
 */
async function nextEnd(run: RunRef, after: number, waiting: Waiting): Promise<RunOutcome | undefined> {
  const end = await followToEnd(run, after, waiting);
  if (waiting.signal.aborted) {
    throw new AppError(
      'unavailable',
      `Run ${run.dagRunId} of ${run.name} is still stopping on the server. Check with "engine status".`,
    );
  }
  if (end === undefined) await new Promise<void>((resolve) => waiting.clock.after(lookAgainMs, resolve));
  return end;
}

/** Resolves when the run ends, or its stream of events does before. */
function followToEnd(
  { name, dagRunId }: RunRef,
  after: number,
  { api, caller, signal }: Waiting,
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
  const give = (): void => resolve(undefined);
  signal.addEventListener('abort', give);
  return promise.finally(() => {
    signal.removeEventListener('abort', give);
    leave();
  });
}
