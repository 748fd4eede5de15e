import type { RunningStep } from '../../executors/executor.ts';
import type { RunEvent } from '../../model/run/run-event.ts';
import type { RunRecord } from '../../model/run/run.ts';
import { isHostsAction } from '../../model/workflow/hosts-action.ts';
import type { Step } from '../../model/workflow/step.ts';
import { joinSelectors, type WorkerSelector } from '../../model/workflow/worker-selector.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { NodeTask } from '../steps/node-task.ts';
import type { ContextPlace, StepSurroundings } from '../steps/step-context.ts';
import { buildRemoteTask } from './build-task.ts';
import { remoteKey, type RemoteAttempt, type RemoteSteps, type RemoteWorker } from './ports.ts';

/** One attempt, or one item of it, for a worker. */
export interface RemotePlace extends Pick<ContextPlace, 'attempt' | 'signal' | 'item' | 'path'> {
  /** Who has it by what was recorded before this host drove the run. */
  readonly known?: RemoteWorker | undefined;
  /** Called once, when its time begins. */
  onBegun(): void;
}

interface RemoteWorkParts {
  readonly steps: RemoteSteps;
  readonly record: RunRecord;
  /** Of the workflow, over what the calling step hands down. */
  readonly selector: WorkerSelector | undefined;
  readonly workflow: Pick<Workflow, 'steps' | 'handlers'>;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** Where an attempt is, in its run. */
interface Held {
  readonly key: string;
  readonly section: string;
  readonly name: string;
  readonly item: number | undefined;
}

/** What workers do for one run. */
export class RemoteWork {
  readonly #parts: RemoteWorkParts;
  readonly #held = new Map<string, Held>();
  #hasBegun = false;

  constructor(parts: RemoteWorkParts) {
    this.#parts = parts;
  }

  /** Labels that the worker of a step must have; undefined when this host makes its attempts itself. */
  selectorOf({
    action,
    workerSelector,
  }: Pick<Step, 'action' | 'workerSelector'>): WorkerSelector | undefined {
    // A sub-run is driven by hosts; what it hands down makes its steps remote.
    return isHostsAction(action) ? undefined : joinSelectors(this.#parts.selector, workerSelector);
  }

  /** What a step hands down to the steps of its sub-runs. */
  handedDown(step: Pick<Step, 'workerSelector'> | undefined): WorkerSelector | undefined {
    return joinSelectors(this.#parts.selector, step?.workerSelector);
  }

  /**
   * Resolves what a worker needs. What is returned offers it, or takes up what has been offered before. Rejects when a
   * value cannot be had, and with `no_worker`.
   */
  async prepare(around: StepSurroundings, task: NodeTask, place: RemotePlace): Promise<() => RunningStep> {
    const { steps, record } = this.#parts;
    const selector = this.selectorOf(task.step) ?? {};
    await steps.requireSetUp(selector);
    const built = await buildRemoteTask(around, record, task, place);
    return () => this.#start(around, task, place, { selector, task: built });
  }

  /** Lets go of what is kept of attempts that have ended by this event, as soon as that is recorded. */
  note(event: RunEvent): void {
    if (this.#held.size === 0 || !('node' in event)) return;
    const ended = [...this.#held.values()].filter((held) => isEndOf(event, held)).map(({ key }) => key);
    for (const key of ended) this.#held.delete(key);
    if (ended.length === 0) return;
    const { durable, steps } = this.#parts;
    // Who has lost the run leaves it to the new host.
    durable().then(
      () => steps.forget(ended),
      () => undefined,
    );
  }

  /** To be called when the end of the run is recorded: what hosts that were lost have left goes, too. */
  async close(wasTakenOver: boolean): Promise<void> {
    if (this.#hasBegun || (wasTakenOver && this.#hasRemoteSteps()))
      await this.#parts.steps.endRun(this.#parts.record.key);
  }

  #hasRemoteSteps(): boolean {
    const { steps, handlers } = this.#parts.workflow;
    return [...steps, ...Object.values(handlers)].some((step) => this.selectorOf(step) !== undefined);
  }

  mirrorLogs(place: string): Promise<void> {
    return this.#parts.steps.mirrorLogs(place);
  }

  #start(
    around: StepSurroundings,
    { node, step }: NodeTask,
    { attempt, item, path, known, onBegun }: RemotePlace,
    { selector, task }: Pick<RemoteAttempt, 'selector' | 'task'>,
  ): RunningStep {
    const { steps, record, emit } = this.#parts;
    const of = { node, attempt, ...(item === undefined ? {} : { item: item.number }) };
    const key = remoteKey(record.key, node, attempt, item?.number);
    this.#held.set(key, { key, section: node.section, name: node.name, item: item?.number });
    this.#hasBegun = true;
    const { name, dagRunId } = record;
    return steps.start({
      key,
      runKey: record.key,
      runEpoch: record.epoch,
      run: { name, dagRunId },
      selector,
      task,
      place: path,
      onWaiting: (reason) => emit({ type: 'step.waiting', ...of, reason }),
      onBegun: ({ id, host }) => {
        if (known?.id !== id) emit({ type: 'step.dispatched', ...of, worker: id, host });
        onBegun();
      },
      onLeft: ({ id, host }, why) => {
        const message = `The command of ${step.name} on worker ${id} (${host}) may still be running: ${why}`;
        emit({ type: 'run.message', level: 'warning', node, message });
      },
      hide: (value) => around.scope.addSecret(value),
    });
  }
}

function isEndOf(event: Extract<RunEvent, { node?: unknown }>, { section, name, item }: Held): boolean {
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
