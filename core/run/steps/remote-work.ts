import type { RunningStep } from '../../executors/executor.ts';
import type { RunEvent } from '../../model/run-event.ts';
import type { RunRecord, RunRef } from '../../model/run.ts';
import type { Workflow } from '../../model/workflow.ts';
import { isHostsAction, joinSelectors, type WorkerSelector } from '../../model/workflow-rules.ts';
import type { Step } from '../../model/step.ts';
import { traceVariables } from '../../model/trace-context.ts';
import type { NodeTask } from './node-task.ts';
import type { AttemptScope, StepRunContext } from './step-context.ts';
import {
  remoteKey,
  type RemoteAttempt,
  type RemoteSteps,
  type RemoteWorker,
  type RemoteTask,
} from '../remote/remote-task.ts';
import { attemptTrace } from '../telemetry/trace.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** One attempt, or one of its items, for a worker. */
export interface RemoteAttemptScope extends Pick<AttemptScope, 'attempt' | 'signal' | 'item' | 'path'> {
  /** The worker that has it, as recorded before this host drove the run. */
  readonly known?: RemoteWorker | undefined;
  /** Called once, when its time starts. */
  onStarted(): void;
}

interface RemoteWorkOptions {
  readonly steps: RemoteSteps;
  readonly record: RunRecord;
  /** Labels from the workflow; they override those that the calling step passes on. */
  readonly selector: WorkerSelector | undefined;
  readonly workflow: Pick<Workflow, 'steps' | 'handlers'>;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** Location of an attempt in its run. */
interface ActiveAttempt {
  readonly key: string;
  readonly section: string;
  readonly name: string;
  readonly item: number | undefined;
}

/** The work of one run on workers. */
export class RemoteCommandSpec {
  readonly #options: RemoteWorkOptions;
  readonly #held = new Map<string, ActiveAttempt>();

  constructor(options: RemoteWorkOptions) {
    this.#options = options;
  }

  /** Returns the labels that the worker of a step must have; undefined when this host runs its attempts itself. */
  getSelector({
    action,
    workerSelector,
  }: Pick<Step, 'action' | 'workerSelector'>): WorkerSelector | undefined {
    // Hosts drive a sub-run; the labels it inherits make its steps remote.
    return isHostsAction(action) ? undefined : joinSelectors(this.#options.selector, workerSelector);
  }

  /** Returns the labels that a step passes on to the steps of its sub-runs. */
  inheritedSelector(step: Pick<Step, 'workerSelector'> | undefined): WorkerSelector | undefined {
    return joinSelectors(this.#options.selector, step?.workerSelector);
  }

  /**
   * Resolves the worker's data. The returned function offers the attempt, or reattaches to one that was offered
   * before.
   * @throws `no_worker`; also rejects when a value cannot be resolved
   */
  async prepare(
    context: StepRunContext,
    task: NodeTask,
    scope: RemoteAttemptScope,
  ): Promise<() => RunningStep> {
    const { steps, record } = this.#options;
    const selector = this.getSelector(task.step) ?? {};
    await steps.requireSetUp(selector);
    const built = await buildRemoteTask(context, record, task, scope);
    return () => this.#start(context, task, scope, { selector, task: built });
  }

  /** Removes stored data of attempts that end with this event, as soon as the event is durable. */
  note(event: RunEvent): void {
    if (this.#held.size === 0 || !('node' in event)) return;
    const ended = [...this.#held.values()].filter((held) => endsAttempt(event, held)).map(({ key }) => key);
    for (const key of ended) this.#held.delete(key);
    if (ended.length === 0) return;
    const { durable, steps } = this.#options;
    // A host that has lost the run leaves this to the new host.
    durable().then(
      () => steps.forget(ended),
      () => undefined,
    );
  }

  /** Call this when the end of the run is recorded: also removes what lost hosts have left. */
  async close(): Promise<void> {
    if (this.#hasRemoteSteps()) await this.#options.steps.endRun(this.#options.record.key);
  }

  #hasRemoteSteps(): boolean {
    const { steps, handlers } = this.#options.workflow;
    return [...steps, ...Object.values(handlers)].some((step) => this.getSelector(step) !== undefined);
  }

  mirrorLogs(attemptDir: string): Promise<void> {
    return this.#options.steps.mirrorLogs(attemptDir);
  }

  #start(
    context: StepRunContext,
    { node, step }: NodeTask,
    { attempt, item, path, known, onStarted }: RemoteAttemptScope,
    { selector, task }: Pick<RemoteAttempt, 'selector' | 'task'>,
  ): RunningStep {
    const { steps, record, emit } = this.#options;
    const attemptRef = { node, attempt, ...(item === undefined ? {} : { item: item.number }) };
    const key = remoteKey(record.key, node, attempt, item?.number);
    this.#held.set(key, { key, section: node.section, name: node.name, item: item?.number });
    const { name, dagRunId } = record;
    return steps.start({
      key,
      runKey: record.key,
      runEpoch: record.epoch,
      run: { name, dagRunId },
      selector,
      task,
      attemptDir: path,
      onWaiting: (reason) => emit({ type: 'step.waiting', ...attemptRef, reason }),
      onStarted: ({ id, host }) => {
        if (known?.id !== id) emit({ type: 'step.dispatched', ...attemptRef, worker: id, host });
        onStarted();
      },
      onLeft: ({ id, host }, cause) => {
        const message = `The command of ${step.name} on worker ${id} (${host}) may still be running: ${cause}`;
        emit({ type: 'run.message', level: 'warning', node, message });
      },
      maskSecrets: (value) => context.scope.addSecret(value),
    });
  }
}

function endsAttempt(
  event: Extract<RunEvent, { node?: unknown }>,
  { section, name, item }: ActiveAttempt,
): boolean {
  if (event.node?.section !== section || event.node.name !== name) return false;
  switch (event.type) {
    case 'step.item_finished':
      return event.item === item;
    case 'step.finished':
    case 'step.ended':
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      return true;
    default:
      return false;
  }
}

/** Identifies an execution, together with the run's id and, on workers, the fence. */
export const attemptVariable = 'ENGINE_STEP_ATTEMPT';

/**
 * Resolves everything that a worker receives for an attempt or one of its items. Creates no directory: the worker
 * creates the step's. Rejects when a value cannot be resolved.
 */
async function buildRemoteTask(
  context: Pick<StepRunContext, 'scope' | 'workflow' | 'trace'>,
  run: RunRef,
  { step, node, outputs, extra }: NodeTask,
  { attempt, signal, item }: Pick<AttemptScope, 'attempt' | 'signal' | 'item'>,
): Promise<RemoteTask> {
  const { workflow } = context;
  const scope = context.scope.until(signal);
  const stepFields = {
    ...extra,
    ...traceVariables(attemptTrace(context.trace, { node, attempt, item: item?.number })),
    ...(item === undefined ? {} : { ITEM: item.text }),
    DAG_RUN_STEP_NAME: node.name,
    [attemptVariable]: String(attempt),
  };
  const env = scope.remoteEnvironment(outputs, stepFields);
  // The worker expands the entries of the step. Here they are only needed if something may refer to them.
  const references = hasReference([step.dir ?? '', ...(step.shell ?? [])].join(' '))
    ? await scope.stepEnvironment(step.env, outputs, stepFields)
    : env;
  const shell = await scope.shellFor(step.shell, references);
  const workingDir = await scope.remoteFolder(step, references);
  return {
    run: { name: run.name, dagRunId: run.dagRunId },
    node,
    attempt,
    ...(item === undefined ? {} : { item: item.number }),
    step: shell === undefined || step.shell === undefined ? step : { ...step, shell: [...shell] },
    env,
    positional: scope.positional,
    ...(shell === undefined ? {} : { shell }),
    ...(workingDir === undefined ? {} : { workingDir }),
    cleanUpMs: workflow.maxCleanUpTimeSec * 1000,
    maxOutputSize: workflow.maxOutputSize,
    masked: [...scope.masked],
    smtp: workflow.smtp ?? [],
    registryAuths: workflow.registryAuths,
    properties: scope.properties,
    inputFiles: step.inputFiles ?? [],
    outputFiles: step.outputFiles ?? [],
    onPartition: step.onPartition ?? 'continue',
  };
}
