import { pluralize } from '../core/base/text.ts';
import type { EventView } from '../core/contract/logs.ts';
import type { OperationInput, OperationName } from '../core/contract/operations.ts';
import type { EngineApi } from '../core/index.ts';
import type { Clock, Dispose } from '../core/base/clock.ts';
import type { RunSummaryView } from '../core/contract/run-views.ts';
import { windowCaller } from './engine-ipc.ts';
import type { TrayContent, TrayQueue, TrayWorkflow } from './tray-menu.ts';

interface Progress {
  readonly total: number;
  /** Names of finished steps. */
  readonly ended: Set<string>;
}

/** Progress of runs, read once for each run and then updated by events. */
class ProgressTracker {
  readonly #api: EngineApi;
  readonly #runs = new Map<string, Progress>();

  constructor(api: EngineApi) {
    this.#api = api;
  }

  hear({ dagRunId, event }: EventView): void {
    if (event.type === 'run.finished' || event.type === 'run.retried') this.#runs.delete(dagRunId);
    const run = this.#runs.get(dagRunId);
    if (run === undefined) return;
    if (event.type !== 'step.finished' && event.type !== 'step.ended') return;
    if (event.node.section === 'step') run.ended.add(event.node.name);
  }

  /** Returns `3 of 8 steps`; undefined for a run that does not exist. */
  async notify(run: OperationInput<'runs.get'>): Promise<string | undefined> {
    const { total, ended } = this.#runs.get(run.dagRunId) ?? (await this.#read(run)) ?? {};
    return total === undefined ? undefined : `${ended!.size} of ${pluralize(total, 'step')}`;
  }

  async #read({ name, dagRunId }: OperationInput<'runs.get'>): Promise<Progress | undefined> {
    const detail = await this.#api.call('runs.get', { name, dagRunId }, windowCaller).catch(() => undefined);
    if (detail === undefined) return undefined;
    const { steps } = detail;
    const ended = steps.filter(({ finishedAt, status }) => finishedAt !== undefined || status === 'skipped');
    const progress = { total: steps.length, ended: new Set(ended.map((step) => step.name)) };
    this.#runs.set(dagRunId, progress);
    return progress;
  }
}

const maxItems = { recent: 5, next: 5, started: 5 };
/** Number of active runs read for the menu and the count; above it the menu displays "more than". */
const activeRead = 200;
/** Number of runs read to find the last finished ones. */
const recentRead = 30;
/** Minimum time between two updates, however many runs start and end. */
const restMs = 250;
/** Minimum time between two updates of step progress. */
const progressMs = 1000;
/** Polling interval for changes without events: queues, and schedules paused by others. */
const slowMs = 30_000;

const starting = new Set(['run.created', 'run.started', 'run.finished', 'run.retried', 'run.recovered']);
const progressing = new Set(['step.started', 'step.finished', 'step.ended']);

/** Reports the tray's state of the home directory, initially and after every change by any process. */
export class HomeWatch {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  /** File names of favourite workflows, which are listed first. */
  readonly #favourites: () => readonly string[];
  readonly #show: (content: TrayContent) => void;
  readonly #progress: ProgressTracker;
  readonly #disposals: Dispose[] = [];
  #isStopped = false;
  #disposeRest: Dispose | undefined;
  /** When the user last saw the failures, in epoch milliseconds. */
  #seenAt: number;

  constructor(
    api: EngineApi,
    clock: Clock,
    favourites: () => readonly string[],
    show: (content: TrayContent) => void,
  ) {
    this.#api = api;
    this.#clock = clock;
    this.#favourites = favourites;
    this.#show = show;
    this.#progress = new ProgressTracker(api);
    this.#seenAt = clock.now();
  }

  /** Reads the initial state and starts listening; can take a while with many workflows. Called once. */
  begin(): void {
    if (this.#isStopped) return;
    const follow = { item: (view: EventView) => this.#onMessage(view), end: () => {}, isPatient: true };
    const changes = { item: () => this.refreshSoon(restMs), end: () => {} };
    this.#disposals.push(
      this.#api.follow('events.follow', {}, follow, windowCaller),
      this.#api.follow('dags.changes', {}, changes, windowCaller),
      this.#clock.every(slowMs, () => this.refreshSoon(0)),
    );
    this.refreshSoon(0);
  }

  /** Records that the user is looking at the window, so failures are no longer new. */
  markSeen(): void {
    this.#seenAt = this.#clock.now();
    this.refreshSoon(0);
  }

  /** Updates after an operation of the window that emits no event. */
  refreshAfter(operation: string): void {
    if (/^(?:schedules|queues)\.(?!list|items)/.test(operation)) this.refreshSoon(0);
  }

  /** Schedules an update after a delay in milliseconds; further requests until then are merged. */
  refreshSoon(afterMs: number): void {
    if (this.#isStopped || this.#disposals.length === 0) return;
    this.#disposeRest ??= this.#clock.after(afterMs, () => {
      this.#disposeRest = undefined;
      // A failed update (disk error, closing engine) leaves the state unchanged until the next one.
      this.#refresh().catch(() => undefined);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#disposeRest?.();
    for (const dispose of this.#disposals) dispose();
  }

  #onMessage(view: EventView): void {
    this.#progress.hear(view);
    if (starting.has(view.event.type)) this.refreshSoon(restMs);
    else if (progressing.has(view.event.type)) this.refreshSoon(progressMs);
  }

  async #refresh(): Promise<void> {
    const latest = await this.#read();
    if (!this.#isStopped) this.#show(latest);
  }

  async #read(): Promise<TrayContent> {
    const ask = <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
      this.#api.call(name, input, windowCaller);
    const [active, all, dags, { pause, schedulers }, { queues }] = await Promise.all([
      ask('runs.list', { status: ['running', 'queued'], limit: activeRead }),
      ask('runs.list', { limit: recentRead }),
      ask('dags.list', { sort: 'nextRun', limit: 200 }),
      ask('services.scheduler', {}),
      ask('queues.list', {}),
    ]);
    const ended = all.dagRuns.filter((run) => run.finishedAt !== undefined);
    const favourites = this.#favourites();
    const names = new Map(dags.dags.map(({ fileName, name }) => [fileName, name]));
    return {
      running: await Promise.all(active.dagRuns.map((run, index) => this.#withProgress(run, index))),
      more: active.nextCursor !== undefined,
      recent: ended
        .slice(0, maxItems.recent)
        .map(({ name, dagRunId, status }) => ({ name, dagRunId, status })),
      failed: ended.filter((run) => run.status === 'failed' && Date.parse(run.finishedAt!) > this.#seenAt)
        .length,
      next: dags.dags
        .flatMap(({ fileName, name, nextRun }) =>
          nextRun === undefined ? [] : [{ fileName, name, at: nextRun }],
        )
        .slice(0, maxItems.next),
      favourites: favourites.map((fileName) => ({ fileName, name: names.get(fileName) ?? fileName })),
      started: listStarted(all.dagRuns, dags.dags, favourites),
      queues: queues.map(toTrayQueue).filter(({ state, waiting }) => state !== 'open' || waiting > 0),
      ...(dags.dags.some(({ nextRun }) => nextRun !== undefined) &&
        schedulers.every(({ status }) => status !== 'active') && { isSchedulerStopped: true }),
      ...(pause && { pausedUntil: pause.until ?? '' }),
    };
  }

  async #withProgress({ name, dagRunId, status }: RunSummaryView, index: number) {
    const progress =
      status === 'running' && index < 10 ? await this.#progress.notify({ name, dagRunId }) : undefined;
    return { name, dagRunId, status, ...(progress !== undefined && { progress }) };
  }
}

const toTrayQueue = (queue: {
  readonly name: string;
  readonly state: string;
  readonly runningCount: number;
  readonly queuedCount: number;
}): TrayQueue => ({
  name: queue.name,
  state: queue.state,
  running: queue.runningCount,
  waiting: queue.queuedCount,
});

/** Returns the workflows of the newest runs without duplicates; runs without a file are omitted. */
function listStarted(
  runs: readonly { readonly name: string }[],
  dags: readonly TrayWorkflow[],
  favourites: readonly string[],
): TrayWorkflow[] {
  const byName = new Map(dags.map((dag) => [dag.name, dag]));
  const workflowsByName = new Map<string, TrayWorkflow>();
  for (const { name } of runs) {
    const dag = byName.get(name);
    if (dag && !favourites.includes(dag.fileName))
      workflowsByName.set(dag.fileName, { fileName: dag.fileName, name: dag.name });
  }
  return [...workflowsByName.values()].slice(0, maxItems.started);
}
