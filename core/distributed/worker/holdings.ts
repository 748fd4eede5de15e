import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClaimedTask, TaskHold } from '../ports.ts';
import type { RemoteResult, RemoteTask } from '../remote-task.ts';
import type { Journal, KeptTask } from './folder/journal.ts';
import { describeStorageTrouble } from './folder/storage-trouble.ts';
import { placeOf } from './task/task-place.ts';
import { TaskRun, type TaskTools } from './task/task-run.ts';

/** A task of a worker. */
export interface Holding extends TaskHold {
  /** `accepted`: received, not confirmed; `begun`: confirmed; `ended`: its result must be reported. */
  state: 'accepted' | 'begun' | 'ended';
  readonly run: TaskRun;
  /** Aborted when the task no longer belongs to the worker. */
  readonly lost: AbortController;
  /** Its result is being sent; until it has arrived, cancellations and losses are ignored. */
  isTold: boolean;
  result?: RemoteResult;
}

interface HoldingsParts {
  readonly slots: number;
  /** Absolute. */
  readonly tasksFolder: string;
  readonly journal: Journal;
  readonly bootId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  toolsFor(holding: TaskHold & Pick<Holding, 'lost'>): Omit<TaskTools, 'onSpawned' | 'onRoom'>;
  /** Called when a result is ready to report after its logs are complete. */
  onEnded(holding: Holding): void;
  /** Called when capacity for another task may be free. */
  onRoom(): void;
  /** Retains the files of a task that no longer belongs to the worker. */
  putAside(run: TaskRun): Promise<void>;
}

/** Maximum number of unreported results per slot before no new tasks are accepted. */
const backlogPerSlot = 4;
const leastBacklog = 16;

/** All tasks of a worker, from the claim until the result is reported. */
export class Holdings {
  readonly #parts: HoldingsParts;
  readonly #held = new Map<string, Holding>();
  /** Lost tasks whose processes have not ended. */
  readonly #dying = new Set<Holding>();

  constructor(parts: HoldingsParts) {
    this.#parts = parts;
  }

  list(): readonly Holding[] {
    return [...this.#held.values()];
  }

  /** Number of tasks that can start now. */
  get free(): number {
    const { slots } = this.#parts;
    const held = this.list();
    const waiting = held.filter(({ state, run }) => state === 'ended' || !run.isBusy).length;
    if (waiting > Math.max(leastBacklog, backlogPerSlot * slots)) return 0;
    const dying = [...this.#dying].filter(({ run }) => run.isBusy).length;
    return Math.max(0, slots - (held.length - waiting) - dying);
  }

  /**
   * Accepts tasks: writes them to the journal, confirms them, and starts those that belong to the worker. Never
   * rejects.
   * @param confirm resolves with the keys that belong to the worker; rejects if confirmation is no longer needed
   */
  async take(
    tasks: readonly ClaimedTask[],
    confirm: (holds: readonly TaskHold[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const { journal, bootId } = this.#parts;
    const fresh = tasks.map((task) => this.#add(task, 'accepted'));
    const trouble = await journal.accept(tasks, bootId).then(
      () => undefined,
      (thrown: unknown) => this.#explain(thrown),
    );
    await this.#confirm(fresh, confirm, (holding) =>
      trouble === undefined ? holding.run.run() : refuse(this.#parts.clock, trouble),
    );
  }

  /** Resumes the tasks of an earlier process. Call it before joining. */
  resume(kept: readonly KeptTask[]): void {
    for (const task of kept) {
      const holding = this.#add(task, task.isBegun === true ? 'begun' : 'accepted');
      if (task.result !== undefined) {
        holding.run.resumeEnded();
        this.#settle(holding, task.result);
      } else if (task.isBegun === true) this.#follow(holding, this.#resumeRun(holding, task));
    }
  }

  /** Confirms tasks of an earlier process that may be unconfirmed. Call it after joining. */
  async confirmLeft(
    kept: readonly KeptTask[],
    confirm: (holds: readonly TaskHold[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const byKey = new Map(kept.map((task) => [task.key, task]));
    const open = this.list().filter(({ state, key }) => state === 'accepted' && byKey.has(key));
    await this.#confirm(open, confirm, (holding) => this.#resumeRun(holding, byKey.get(holding.key)!));
  }

  /** Cancels an attempt, if present. */
  end(key: string, how: 'stop' | 'kill', reason?: string): void {
    this.#held.get(key)?.run.end(how, reason);
  }

  /** Drops lost tasks: kills running ones and reports nothing. */
  lose(keys: readonly string[]): void {
    const gone = keys.flatMap((key) => this.#held.get(key) ?? []).filter(({ isTold }) => !isTold);
    for (const holding of gone) this.#lose(holding);
  }

  /** Removes a task whose result was reported or refused. */
  release(holding: Holding): void {
    if (this.#held.get(holding.key) === holding) this.#held.delete(holding.key);
    void this.#parts.journal.forget([holding]).catch((thrown: unknown) => this.#explain(thrown));
    this.#parts.onRoom();
  }

  #add({ key, fence, payload }: ClaimedTask, state: Holding['state']): Holding {
    const { tasksFolder, journal } = this.#parts;
    const before = this.#held.get(key);
    // A new claim of the same task means that the earlier one was given up.
    if (before !== undefined) this.#lose(before);
    const hold = { key, fence };
    const lost = new AbortController();
    const run = new TaskRun(
      { hold, task: JSON.parse(payload) as RemoteTask, place: placeOf(tasksFolder, hold) },
      {
        ...this.#parts.toolsFor({ ...hold, lost }),
        onSpawned: (pid, pidStart) =>
          void journal.noteProcess(hold, { pid, pidStart }).catch((thrown: unknown) => this.#explain(thrown)),
        onRoom: () => this.#parts.onRoom(),
      },
    );
    const holding: Holding = { ...hold, state, run, lost, isTold: false };
    this.#held.set(key, holding);
    return holding;
  }

  async #confirm(
    holdings: readonly Holding[],
    confirm: (holds: readonly TaskHold[]) => Promise<readonly string[]>,
    start: (holding: Holding) => Promise<RemoteResult>,
  ): Promise<void> {
    if (holdings.length === 0) return;
    const holds = holdings.map(({ key, fence }) => ({ key, fence }));
    // Unconfirmed tasks did not start and go to another worker.
    const own = new Set(await confirm(holds).catch(() => []));
    const { journal } = this.#parts;
    void journal
      .begin(holds.filter(({ key }) => own.has(key)))
      .catch((thrown: unknown) => this.#explain(thrown));
    for (const holding of holdings) {
      if (this.#held.get(holding.key) !== holding) continue;
      if (!own.has(holding.key)) this.release(holding);
      else {
        holding.state = 'begun';
        this.#follow(holding, start(holding));
      }
    }
  }

  #resumeRun({ run }: Holding, { process, bootId }: KeptTask): Promise<RemoteResult> {
    return run.resume({ process, isSameBoot: bootId === this.#parts.bootId });
  }

  #follow(holding: Holding, ended: Promise<RemoteResult>): void {
    void ended.then((result) => {
      if (holding.lost.signal.aborted) return this.#bury(holding);
      const { journal } = this.#parts;
      void journal.end(holding, result).catch((thrown: unknown) => this.#explain(thrown));
      this.#settle(holding, result);
    });
  }

  #settle(holding: Holding, result: RemoteResult): void {
    holding.state = 'ended';
    holding.result = result;
    this.#parts.onEnded(holding);
  }

  #lose(holding: Holding): void {
    const { key, fence, run } = holding;
    this.#parts.logger.warn('A task no longer belongs to this worker and was stopped', {
      key,
      fence,
      files: run.place.folder,
    });
    holding.lost.abort(new Error('the task no longer belongs to this worker'));
    if (holding.state === 'begun') this.#dying.add(holding);
    run.end('kill');
    this.release(holding);
    if (holding.state === 'ended') this.#bury(holding);
  }

  #bury(holding: Holding): void {
    this.#dying.delete(holding);
    this.#parts.onRoom();
    void this.#parts.putAside(holding.run);
  }

  #explain(thrown: unknown): string {
    const text =
      describeStorageTrouble(thrown, this.#parts.tasksFolder) ??
      `the worker cannot save its tasks: ${messageOf(thrown)}`;
    this.#parts.logger.error(text);
    return text;
  }
}

/** Returns the result of a task that could not be written to the journal. */
function refuse(clock: Clock, error: string): Promise<RemoteResult> {
  const at = clock.now();
  return Promise.resolve({
    ...{ error, unstarted: true, hidden: [], startedAt: at, finishedAt: at },
    ...{ logs: { stdout: 0, stderr: 0 }, artifacts: [] },
  });
}
