import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClaimedTask, TaskHold } from '../ports.ts';
import type { RemoteResult, RemoteTask } from '../remote-task.ts';
import type { Journal, KeptTask } from './folder/journal.ts';
import { describeStorageTrouble } from './folder/storage-trouble.ts';
import { placeOf } from './task/task-place.ts';
import { TaskRun, type TaskTools } from './task/task-run.ts';

/** A task in the hands of a worker. */
export interface Holding extends TaskHold {
  /** `accepted`: it has come, and is not confirmed; `begun`: confirmed; `ended`: its result is to be told. */
  state: 'accepted' | 'begun' | 'ended';
  readonly run: TaskRun;
  /** Aborted when it is not the worker's any more. */
  readonly lost: AbortController;
  /** Its result is on its way: whatever is heard of it until that has arrived means nothing. */
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
  /** There is a result to be told, once the logs are complete. */
  onEnded(holding: Holding): void;
  /** There may be room for another task. */
  onRoom(): void;
  /** What became of the files of a task that is not the worker's any more. */
  putAside(run: TaskRun): Promise<void>;
}

/** Results that may wait to be told for each slot, before nothing new is taken. */
const backlogPerSlot = 4;
const leastBacklog = 16;

/** Everything a worker has, from the hand-over of each task until its result is told. */
export class Holdings {
  readonly #parts: HoldingsParts;
  readonly #held = new Map<string, Holding>();
  /** Not the worker's any more, and not dead yet. */
  readonly #dying = new Set<Holding>();

  constructor(parts: HoldingsParts) {
    this.#parts = parts;
  }

  list(): readonly Holding[] {
    return [...this.#held.values()];
  }

  /** How many tasks can be started now. */
  get free(): number {
    const { slots } = this.#parts;
    const held = this.list();
    const waiting = held.filter(({ state, run }) => state === 'ended' || !run.isBusy).length;
    if (waiting > Math.max(leastBacklog, backlogPerSlot * slots)) return 0;
    const dying = [...this.#dying].filter(({ run }) => run.isBusy).length;
    return Math.max(0, slots - (held.length - waiting) - dying);
  }

  /**
   * Takes tasks: writes them down, has them confirmed, and starts those that are the worker's. Never rejects.
   * @param confirm resolves with the keys that are its own; rejects when nobody wants an answer any more
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

  /** Goes on with what an earlier life of the worker had. To be called before it joins. */
  resume(kept: readonly KeptTask[]): void {
    for (const task of kept) {
      const holding = this.#add(task, task.isBegun === true ? 'begun' : 'accepted');
      if (task.result !== undefined) {
        holding.run.resumeEnded();
        this.#settle(holding, task.result);
      } else if (task.isBegun === true) this.#follow(holding, this.#resumeRun(holding, task));
    }
  }

  /** Those of an earlier life that may not have been confirmed; to be called once it has joined. */
  async confirmLeft(
    kept: readonly KeptTask[],
    confirm: (holds: readonly TaskHold[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const byKey = new Map(kept.map((task) => [task.key, task]));
    const open = this.list().filter(({ state, key }) => state === 'accepted' && byKey.has(key));
    await this.#confirm(open, confirm, (holding) => this.#resumeRun(holding, byKey.get(holding.key)!));
  }

  /** Ends an attempt, if it is there. */
  end(key: string, how: 'stop' | 'kill', reason?: string): void {
    this.#held.get(key)?.run.end(how, reason);
  }

  /** They are not the worker's any more: what runs of them is killed, and nothing is told. */
  lose(keys: readonly string[]): void {
    const gone = keys.flatMap((key) => this.#held.get(key) ?? []).filter(({ isTold }) => !isTold);
    for (const holding of gone) this.#lose(holding);
  }

  /** Its result was told, or refused. */
  release(holding: Holding): void {
    if (this.#held.get(holding.key) === holding) this.#held.delete(holding.key);
    void this.#parts.journal.forget([holding]).catch((thrown: unknown) => this.#explain(thrown));
    this.#parts.onRoom();
  }

  #add({ key, fence, payload }: ClaimedTask, state: Holding['state']): Holding {
    const { tasksFolder, journal } = this.#parts;
    const before = this.#held.get(key);
    // Whoever hands it over again has given up the earlier hand-over.
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
    // What was not confirmed was not begun: it goes to somebody else by itself.
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

/** The result of a task that could not even be written down. */
function refuse(clock: Clock, error: string): Promise<RemoteResult> {
  const at = clock.now();
  return Promise.resolve({
    ...{ error, unstarted: true, hidden: [], startedAt: at, finishedAt: at },
    ...{ logs: { stdout: 0, stderr: 0 }, artifacts: [] },
  });
}
