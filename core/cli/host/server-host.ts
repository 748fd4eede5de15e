import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetailView } from '../../contract/runs/run-views.ts';
import type { Bridge } from '../../contract/transport/bridge.ts';
import type { RunRef } from '../../model/run/run.ts';
import { isFinal } from '../../model/run/status.ts';
import type { CommandContext } from '../command-context.ts';
import type { EngineClient, RunOutcome } from './host-api.ts';
import { enqueueOnServer, startNamedOnServer, startOnServer } from './server-requests.ts';
import { remoteWorkflows } from './server-workflows.ts';

/** A connection to a server from `core/client`. */
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
  const workflows = remoteWorkflows({ api, caller, cwd, url });
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
    hasOrphans: () => false,
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
  if (end === undefined) await new Promise<void>((resolve) => waiting.clock.after(pollIntervalMs, resolve));
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
