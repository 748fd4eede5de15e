import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClaimedTask, TaskLease } from '../../store/types/dispatch.ts';
import type { RemoteResult, RemoteTask } from '../../run/remote/remote-task.ts';
import type { Journal, JournaledTask } from './journal.ts';
import { formatStorageError, taskPaths } from './worker-folder.ts';
import { TaskRun, type TaskTools } from './task-run.ts';

/** A task of a worker. */
export interface ActiveTask extends TaskLease {
  /** `accepted`: received, not confirmed; `begun`: confirmed; `ended`: its result must be reported. */
  state: 'accepted' | 'begun' | 'ended';
  readonly run: TaskRun;
  /** Aborted when the task no longer belongs to the worker. */
  readonly lost: AbortController;
  /** Its result is being sent; until it has arrived, cancellations and losses are ignored. */
  isReported: boolean;
  result?: RemoteResult;
}

interface ActiveTasksOptions {
  readonly slots: number;
  /** Absolute. */
  readonly tasksFolder: string;
  readonly journal: Journal;
  readonly bootId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  toolsFor(activeTask: TaskLease & Pick<ActiveTask, 'lost'>): Omit<TaskTools, 'onSpawned' | 'onSlotFree'>;
  /** Called when a result is ready to report after its logs are complete. */
  onEnded(activeTask: ActiveTask): void;
  /** Called when capacity for another task may be free. */
  onSlotFree(): void;
  /** Retains the files of a task that no longer belongs to the worker. */
  preserve(run: TaskRun): Promise<void>;
}

/** Maximum number of unreported results per slot before no new tasks are accepted. */
const backlogPerSlot = 4;
const minBacklog = 16;

/** All tasks of a worker, from the claim until the result is reported. */
export class ActiveTasks {
  readonly #options: ActiveTasksOptions;
  readonly #active = new Map<string, ActiveTask>();
  /** Lost tasks whose processes have not ended. */
  readonly #stopping = new Set<ActiveTask>();

  constructor(options: ActiveTasksOptions) {
    this.#options = options;
  }

  list(): readonly ActiveTask[] {
    return [...this.#active.values()];
  }

  /** Number of tasks that can start now. */
  get free(): number {
    const { slots } = this.#options;
    const active = this.list();
    const waiting = active.filter(({ state, run }) => state === 'ended' || !run.isBusy).length;
    if (waiting > Math.max(minBacklog, backlogPerSlot * slots)) return 0;
    const stopping = [...this.#stopping].filter(({ run }) => run.isBusy).length;
    return Math.max(0, slots - (active.length - waiting) - stopping);
  }

  /**
   * Accepts tasks: writes them to the journal, confirms them, and starts those that belong to the worker. Never
   * rejects.
   * @param confirm resolves with the keys that belong to the worker; rejects if confirmation is no longer needed
   */
  async take(
    tasks: readonly ClaimedTask[],
    confirm: (leases: readonly TaskLease[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const { journal, bootId } = this.#options;
    const added = tasks.map((task) => this.#add(task, 'accepted'));
    const problem = await journal.accept(tasks, bootId).then(
      () => undefined,
      (error: unknown) => this.#explain(error),
    );
    await this.#confirm(added, confirm, (activeTask) =>
      problem === undefined ? activeTask.run.run() : rejectTask(this.#options.clock, problem),
    );
  }

  /** Resumes the tasks of an earlier process. Call it before joining. */
  resume(journaled: readonly JournaledTask[]): void {
    for (const task of journaled) {
      const activeTask = this.#add(task, task.isBegun === true ? 'begun' : 'accepted');
      if (task.result !== undefined) {
        activeTask.run.resumeEnded();
        this.#settle(activeTask, task.result);
      } else if (task.isBegun === true) this.#follow(activeTask, this.#resumeRun(activeTask, task));
    }
  }

  /** Confirms tasks of an earlier process that may be unconfirmed. Call it after joining. */
  async confirmResumed(
    journaled: readonly JournaledTask[],
    confirm: (leases: readonly TaskLease[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const byKey = new Map(journaled.map((task) => [task.key, task]));
    const open = this.list().filter(({ state, key }) => state === 'accepted' && byKey.has(key));
    await this.#confirm(open, confirm, (activeTask) =>
      this.#resumeRun(activeTask, byKey.get(activeTask.key)!),
    );
  }

  /** Cancels an attempt, if present. */
  end(key: string, how: 'stop' | 'kill', reason?: string): void {
    this.#active.get(key)?.run.end(how, reason);
  }

  /** Drops lost tasks: kills running ones and reports nothing. */
  onLeaseLost(keys: readonly string[]): void {
    const lostTasks = keys
      .flatMap((key) => this.#active.get(key) ?? [])
      .filter(({ isReported }) => !isReported);
    for (const activeTask of lostTasks) this.#onLost(activeTask);
  }

  /** Removes a task whose result was reported or rejected. */
  release(activeTask: ActiveTask): void {
    if (this.#active.get(activeTask.key) === activeTask) this.#active.delete(activeTask.key);
    void this.#options.journal.forget([activeTask]).catch((error: unknown) => this.#explain(error));
    this.#options.onSlotFree();
  }

  #add({ key, fence, payload }: ClaimedTask, state: ActiveTask['state']): ActiveTask {
    const { tasksFolder, journal } = this.#options;
    const previous = this.#active.get(key);
    // A new claim of the same task means that the earlier one was given up.
    if (previous !== undefined) this.#onLost(previous);
    const lease = { key, fence };
    const lost = new AbortController();
    const run = new TaskRun(
      { lease, task: JSON.parse(payload) as RemoteTask, paths: taskPaths(tasksFolder, lease) },
      {
        ...this.#options.toolsFor({ ...lease, lost }),
        onSpawned: (pid, pidStart) =>
          void journal
            .recordProcess(lease, { pid, pidStart })
            .catch((error: unknown) => this.#explain(error)),
        onSlotFree: () => this.#options.onSlotFree(),
      },
    );
    const activeTask: ActiveTask = { ...lease, state, run, lost, isReported: false };
    this.#active.set(key, activeTask);
    return activeTask;
  }

  async #confirm(
    activeTasks: readonly ActiveTask[],
    confirm: (leases: readonly TaskLease[]) => Promise<readonly string[]>,
    start: (activeTask: ActiveTask) => Promise<RemoteResult>,
  ): Promise<void> {
    if (activeTasks.length === 0) return;
    const leases = activeTasks.map(({ key, fence }) => ({ key, fence }));
    // Unconfirmed tasks did not start and go to another worker.
    const confirmed = new Set(await confirm(leases).catch(() => []));
    const { journal } = this.#options;
    void journal
      .begin(leases.filter(({ key }) => confirmed.has(key)))
      .catch((error: unknown) => this.#explain(error));
    for (const activeTask of activeTasks) {
      if (this.#active.get(activeTask.key) !== activeTask) continue;
      if (!confirmed.has(activeTask.key)) this.release(activeTask);
      else {
        activeTask.state = 'begun';
        this.#follow(activeTask, start(activeTask));
      }
    }
  }

  #resumeRun({ run }: ActiveTask, { process, bootId }: JournaledTask): Promise<RemoteResult> {
    return run.resume({ process, isSameBoot: bootId === this.#options.bootId });
  }

  #follow(activeTask: ActiveTask, ended: Promise<RemoteResult>): void {
    void ended.then((result) => {
      if (activeTask.lost.signal.aborted) return this.#discardLost(activeTask);
      const { journal } = this.#options;
      void journal.end(activeTask, result).catch((error: unknown) => this.#explain(error));
      this.#settle(activeTask, result);
    });
  }

  #settle(activeTask: ActiveTask, result: RemoteResult): void {
    activeTask.state = 'ended';
    activeTask.result = result;
    this.#options.onEnded(activeTask);
  }

  #onLost(activeTask: ActiveTask): void {
    const { key, fence, run } = activeTask;
    this.#options.logger.warn('A task is no longer assigned to this worker and was stopped', {
      key,
      fence,
      files: run.paths.folder,
    });
    activeTask.lost.abort(new Error('the task is no longer assigned to this worker'));
    if (activeTask.state === 'begun') this.#stopping.add(activeTask);
    run.end('kill');
    this.release(activeTask);
    if (activeTask.state === 'ended') this.#discardLost(activeTask);
  }

  #discardLost(activeTask: ActiveTask): void {
    this.#stopping.delete(activeTask);
    this.#options.onSlotFree();
    void this.#options.preserve(activeTask.run);
  }

  #explain(error: unknown): string {
    const text =
      formatStorageError(error, this.#options.tasksFolder) ??
      `the worker cannot save its tasks: ${getErrorMessage(error)}`;
    this.#options.logger.error(text);
    return text;
  }
}

/** Returns the result of a task that could not be written to the journal. */
function rejectTask(clock: Clock, error: string): Promise<RemoteResult> {
  const at = clock.now();
  return Promise.resolve({
    ...{ error, unstarted: true, hidden: [], startedAt: at, finishedAt: at },
    ...{ logs: { stdout: 0, stderr: 0 }, artifacts: [] },
  });
}
