import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { RecordedEvent, NodeId, RunEvent } from '../../model/run-event.ts';
import { type RunDetail, type StepRecord, isFinal, type RunRecord, type RunRef } from '../../model/run.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { RunStore } from '../../store/types/runs.ts';
import { AppError } from '../../base/errors.ts';
import { killOrphanedProcess, engineLostPrefix } from '../../executors/reattach.ts';
import { listProcesses, readTag } from '../../process/process-table.ts';
import { Sweeper } from '../../process/kill.ts';
import type { NodeResult, OpenNode } from '../steps/node-task.ts';
import type { RunHost } from '../run-input.ts';
import { valuesTagRoot } from '../values/run-scope.ts';
import { readPreviousItems, type PreviousRun, type InterruptedRun } from './previous-run.ts';
import { newestAttempts, readResults } from './rerun-state.ts';
import { nodeKey, readProgress, type RunProgress, type NodeProgress } from './run-progress.ts';

/** A run that has just been taken over; no other host writes to it any more. */
export interface InterruptedRunInput extends RecoveryInput {
  readonly store: Pick<RunStore, 'getDetail' | 'listEvents' | 'listItems'>;
  readonly workflow: Workflow;
  /** Absolute path of the home. */
  readonly home: string;
  readonly clock: Clock;
}

const eventsPerPage = 1000;

/**
 * Reads everything that a host needs to continue the run. Reads the logs of steps whose `continueOn` checks the output.
 */
export async function readInterrupted(input: InterruptedRunInput): Promise<PreviousRun> {
  const { store, detail, workflow, home, clock } = input;
  const runDir = path.resolve(home, detail.run.logDir);
  const events = await listAllEvents(store, detail);
  const progress = readProgress(events);
  const steps = detail.steps.filter(({ node }) => node.section === 'step');
  const handlers = detail.steps.filter(({ node }) => node.section === 'handler');
  const reusedResults = await readResults({ records: steps, steps: workflow.steps, runDir, clock });
  const handlerSteps = Object.values(workflow.handlers);
  return {
    reusedResults: withTolerated(reusedResults, workflow, steps),
    attempts: newestAttempts(detail.steps),
    items: await readPreviousItems({
      store,
      detail,
      runDir,
      workflow,
      rerunSteps: workflow.steps.map(({ name }) => name).filter((name) => !reusedResults.has(name)),
      after: (step) => firstCountedAttempt(progress, step),
    }),
    from: progress.from,
    onlyThisStep: progress.onlyThisStep,
    usesFile: progress.usesFile,
    inProgress: {
      ...progress,
      stage: findStage(progress, handlers, workflow),
      open: await readOpenNodes(input, progress.nodes),
      handlers: await readResults({ records: handlers, steps: handlerSteps, runDir, clock }),
      recoveredEvent: events.findLast(isRecovery)!.event as InterruptedRun['recoveredEvent'],
    },
  };
}

const isRecovery = ({ event }: RecordedEvent): boolean => event.type === 'run.recovered';

async function listAllEvents(
  store: InterruptedRunInput['store'],
  { run }: RunDetail,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await store.listEvents(events.at(-1)?.id ?? 0, eventsPerPage, run);
    events.push(...page);
    if (page.length < eventsPerPage) return events;
  }
}

/**
 * Returns the number of the last attempt whose items do not count. A repetition runs all items again, and so does a
 * step that was requested by name.
 */
function firstCountedAttempt({ nodes, from, fresh }: RunProgress, step: string): number {
  const known = nodes.get(nodeKey({ section: 'step', name: step }));
  if (known === undefined) return from === step || fresh.has(step) ? Infinity : 0;
  return known.times > 1 || from !== undefined || fresh.has(step) ? known.attemptsBefore : 0;
}

/** The results of steps that a retry keeps do not count. */
function findStage(
  { nodes, ended }: RunProgress,
  handlers: readonly StepRecord[],
  { handlers: known }: Workflow,
): InterruptedRun['stage'] {
  if (ended.size > 0 || nodes.keys().some((key) => key.startsWith('step:'))) return 'steps';
  const started = handlers.filter(({ status }) => status !== 'not_started').map(({ node }) => node.name);
  if (started.some((name) => name !== known.init?.name)) return 'steps';
  return started.length > 0 ? 'init' : 'conditions';
}

/**
 * Marks tolerated failures of steps with a started dependent, because the log that records the tolerance may be deleted.
 */
function withTolerated(
  reusedResults: ReadonlyMap<string, NodeResult>,
  { steps }: Workflow,
  records: readonly StepRecord[],
): Map<string, NodeResult> {
  const started = new Set(records.filter(hasStarted).map(({ node }) => node.name));
  const satisfiedDeps = new Set(
    steps.filter(({ name }) => started.has(name)).flatMap(({ depends }) => depends),
  );
  return new Map(
    [...reusedResults].map(([name, end]) => [
      name,
      satisfiedDeps.has(name) ? { ...end, tolerated: true } : end,
    ]),
  );
}

const hasStarted = ({ status, attempts }: StepRecord): boolean =>
  status === 'running' || (attempts.length > 0 && isFinal(status));

/** A run whose host was lost. */
interface RecoveryInput {
  readonly store: Pick<RunStore, 'listItems'>;
  readonly detail: RunDetail;
  /** Whether the machine has been up since its host drove it. */
  readonly isSameBoot: boolean;
}

/** The maximum number of items of a step. */
const maxItems = 1000;

/** Returns the nodes that had started and not ended, by `section:name`. */
export async function readOpenNodes(
  { store, detail, isSameBoot }: RecoveryInput,
  progress: ReadonlyMap<string, NodeProgress> = new Map(),
): Promise<Map<string, OpenNode>> {
  const open = new Map<string, OpenNode>();
  for (const { node, status, attempts } of detail.steps) {
    const attempt = attempts.at(-1);
    if (status !== 'running' || attempt === undefined) continue;
    const { times = 1, count = 1, due } = progress.get(nodeKey(node)) ?? {};
    const isEnded = attempt.finishedAt !== undefined;
    const pending = isEnded ? (due ?? ({ kind: 'retry', at: attempt.finishedAt } as const)) : undefined;
    const attemptRef = { node, attempt: attempt.attempt };
    const items = isEnded ? [] : await store.listItems(detail.run, { ...attemptRef, limit: maxItems });
    open.set(nodeKey(node), { times, count, attempt, due: pending, items, isSameBoot });
  }
  return open;
}

/** A run that ends without resuming its running nodes. */
export interface UnrecoverableRun {
  readonly record: Pick<RunRecord, 'key' | 'dagRunId'>;
  readonly open: Iterable<OpenNode>;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly host: Pick<RunHost, 'clock' | 'launcher' | 'store'>;
  emit(event: RunEvent): void;
}

/**
 * Ends the nodes that a lost host left running in a run that cannot be resumed: processes at once, sub-runs by a
 * stop request. The nodes end as failed.
 */
export async function endOpenNodes(run: UnrecoverableRun): Promise<void> {
  for (const open of run.open) {
    const { node } = open.attempt;
    await stopSubRuns(run, node);
    if (open.due === undefined) await endProcesses(run, open);
    const reason = `${engineLostPrefix}, and the run could not continue`;
    run.emit({ type: 'step.ended', node, status: 'failed', reason });
  }
}

async function endProcesses({ runDir, host }: UnrecoverableRun, open: OpenNode): Promise<void> {
  const { attempt, items, isSameBoot } = open;
  const running = items.filter(({ status }) => status === 'running');
  const { pid, pidStart } = attempt;
  const openAttempts = [{ dir: attempt.dir, pid, pidStart }, ...running.map(({ dir }) => ({ dir }))];
  for (const { dir, ...process } of openAttempts) {
    const attemptDir = path.join(runDir, dir);
    const orphan = { attemptDir, ...process, stopSignal: 'SIGKILL', cleanUpMs: 0 } as const;
    await killOrphanedProcess({ ...orphan, isRelayed: false, hasTerminal: false, isSameBoot }, host);
  }
}

async function stopSubRuns({ record, host }: UnrecoverableRun, node: NodeId): Promise<void> {
  const { store, clock } = host;
  for (const child of await store.listStepSubRuns(record.key, node)) {
    if (isFinal(child.status)) continue;
    try {
      await store.requestStop(child, `its parent run ${record.dagRunId}`, clock.now());
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_running') throw error;
    }
  }
}

/**
 * Commands in values and conditions that lost hosts have left running. Their output is no longer read, and the next
 * driver evaluates them again. Linux only, because only there the owner of a process can be determined.
 */
export class OrphanedCommands {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #sweeper: Sweeper;
  readonly #tags: ReadonlySet<string>;

  /** Lists the processes of this machine once, for any number of runs. */
  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#sweeper = new Sweeper(clock);
    const tags = listProcesses().map(({ pid }) => readTag(pid));
    this.#tags = new Set(tags.filter((tag) => tag !== undefined));
  }

  /**
   * Ends the commands that were started for one run with this epoch or an earlier one. Resolves when they have ended.
   */
  async end(run: RunRef, lastEpoch: number): Promise<void> {
    const root = valuesTagRoot(this.#home, run);
    const tags = [...this.#tags].filter(
      (tag) => tag.startsWith(root) && Number(tag.slice(root.length)) <= lastEpoch,
    );
    const killAt = this.#clock.monotonic();
    await Promise.all(
      tags.map((tag) => this.#sweeper.watch({ tag, signal: 'SIGKILL', escapedToo: true, killAt })),
    );
  }
}
