import type { Clock } from '../../base/clock.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run.ts';
import type { FireTimeRef, ScheduleKind, FireTimeOutcome } from '../../model/fire-time.ts';
import type { Overlap, Workflow } from '../../model/workflow.ts';
import { findPrevious } from '../../spec/schedule/next-run.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import type { Restarts } from './due-fire-times.ts';

/** A workflow as its file is now. */
export interface FireTimeSource {
  readonly workflow: Workflow;
  /**
   * Creates a run for the slot in one transaction with the slot's row, and starts to drive it or adds it to its queue.
   */
  start(fireTime: FireTimeRef, options: { readonly overlap: Overlap }): Promise<RunRef>;
}

/** The result of a slot: `later` means that nothing could be written, so that it is due again. */
export type FireTimeResult = 'done' | 'later';

interface FireTimeRunnerOptions {
  readonly store: ScheduleStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Time zone of expressions that name none. */
  readonly zone: string | undefined;
  /**
   * Reads a workflow file.
   * @throws `not_found` or `invalid_spec`
   */
  readonly load: (dag: string) => Promise<FireTimeSource>;
  /** Call this after this process has written a stop request. */
  readonly onStopped: () => void;
  readonly restarts: Restarts;
  /** Returns the name of the workflow in a file, as far as it is known. */
  readonly getName: (dag: string) => string;
  /** Receives each slot that is decided here. */
  readonly onDecided: (fireTime: DecidedFireTime) => void;
}

/** Errors that may be temporary; nothing has been written then. */
const retryableCodes = new Set(['storage_full', 'unavailable', 'home_unusable', 'internal_error']);

/** Executes a slot once: a second process finds its row. */
export class FireTimeRunner {
  readonly #options: FireTimeRunnerOptions;

  constructor(options: FireTimeRunnerOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async run(fireTime: FireTimeRef): Promise<FireTimeResult> {
    const { store, clock, logger, getName } = this.#options;
    try {
      if ((await store.isDecided(fireTime)) || (await store.isSuspended(fireTime.dag))) return 'done';
      failPoint('scheduler.slot_due');
      await this.#do(fireTime);
      failPoint('scheduler.slot_done');
      return 'done';
    } catch (error) {
      const { code, message } = toAppError(error);
      // The file has just been deleted, or another process was faster.
      if (code === 'not_found' || code === 'stale_owner') return 'done';
      if (retryableCodes.has(code)) {
        logger.error('Cannot process a scheduled time, retrying', {
          dag: fireTime.dag,
          kind: fireTime.kind,
          message,
        });
        return 'later';
      }
      const isBusy = code === 'still_running' || code === 'max_run_reached';
      if (!isBusy) logger.warn('A scheduled start failed', { dag: fireTime.dag, message });
      return await this.#rejectFireTime(
        fireTime,
        { outcome: isBusy ? 'skipped' : 'failed', reason: message, name: getName(fireTime.dag) },
        clock.now(),
      );
    }
  }

  async #rejectFireTime(
    ...[fireTime, error, at]: Parameters<ScheduleStore['rejectFireTime']>
  ): Promise<FireTimeResult> {
    try {
      const { store } = this.#options;
      if (!(await store.rejectFireTime(fireTime, error, at))) return 'done';
      this.#report(fireTime, error.outcome);
      if (error.outcome === 'failed')
        await store.addNote({ at, kind: 'failed', dag: fireTime.dag, message: error.reason });
      return 'done';
    } catch (cause) {
      this.#options.logger.error('Cannot record a scheduled time', { message: String(cause) });
      return 'later';
    }
  }

  async #do(fireTime: FireTimeRef): Promise<void> {
    const { store, clock, load, onStopped, restarts } = this.#options;
    const { workflow, start } = await load(fireTime.dag);
    switch (fireTime.kind) {
      case 'start':
        await this.#checkSuccess(fireTime, workflow);
        await this.#checkOverlap(workflow);
        await start(fireTime, { overlap: workflow.overlap ?? 'skip' });
        return this.#report(fireTime, 'started');
      case 'stop': {
        const runs = await store.stopForFireTime(fireTime, workflow.name, clock.now());
        if (runs !== undefined) this.#report(fireTime, runs.length > 0 ? 'stopped' : 'skipped');
        if (runs?.length) onStopped();
        return;
      }
      case 'restart': {
        const runs = await store.beginRestart(fireTime, workflow.name, clock.now());
        if (runs !== undefined) this.#report(fireTime, runs.length > 0 ? 'restarting' : 'skipped');
        if (!runs?.length) return;
        failPoint('scheduler.restart_begun');
        onStopped();
        restarts.finish({ fireTime, run: runs[0]! });
      }
    }
  }

  #report({ kind, at }: FireTimeRef, outcome: FireTimeOutcome): void {
    this.#options.onDecided({ kind, outcome, lateMs: this.#options.clock.now() - at });
  }

  /** `skipIfSuccessful`: checks whether a user or a program has already run the workflow since the previous slot. */
  async #checkSuccess(fireTime: FireTimeRef, { name, schedule, skipIfSuccessful }: Workflow): Promise<void> {
    if (!skipIfSuccessful) return;
    const since = findPrevious(schedule.start, fireTime.at, this.#options.zone);
    if (since === undefined || !(await this.#options.store.hasSucceededSince(name, since))) return;
    throw new AppError('still_running', `A run of ${name} has succeeded since the previous scheduled time.`);
  }

  /**
   * Checks the overlap early, so that no parameters are resolved for a run that will not start; the transaction checks
   * again.
   */
  async #checkOverlap({ name, overlap = 'skip' }: Workflow): Promise<void> {
    if (overlap !== 'skip' || !(await this.#options.store.hasActiveRun(name))) return;
    throw new AppError('still_running', `A run of ${name} was still active.`);
  }
}

/** Most slots processed at once: most of the time they wait for commands in parameters. */
const maxConcurrent = 16;

/** Slots that are due and not decided yet. */
export class FireTimeQueue {
  readonly #run: (fireTime: FireTimeRef) => Promise<FireTimeResult>;
  readonly #onEmpty: () => void;
  #waiting: FireTimeRef[] = [];
  #next = 0;
  readonly #running = new Map<FireTimeRef, Promise<void>>();
  readonly #later = new Set<FireTimeRef>();

  constructor(run: (fireTime: FireTimeRef) => Promise<FireTimeResult>, onEmpty: () => void) {
    this.#run = run;
    this.#onEmpty = onEmpty;
  }

  add(fireTimes: readonly FireTimeRef[]): void {
    for (const fireTime of fireTimes) this.#waiting.push(fireTime);
    this.#fill();
  }

  /** Retries the slots that could not be written. */
  retry(): void {
    const fireTimes = [...this.#later];
    this.#later.clear();
    if (fireTimes.length > 0) this.add(fireTimes);
  }

  /** Removes the slots that have not started; returns whether there were any. */
  clear(): boolean {
    const isEmpty = this.#next === this.#waiting.length && this.#later.size === 0;
    this.#waiting = [];
    this.#next = 0;
    this.#later.clear();
    return !isEmpty;
  }

  /** The earliest instant of an undecided slot. */
  get earliest(): number | undefined {
    let earliest: number | undefined;
    const note = ({ at }: FireTimeRef): void => {
      if (earliest === undefined || at < earliest) earliest = at;
    };
    for (let index = this.#next; index < this.#waiting.length; index += 1) note(this.#waiting[index]!);
    for (const fireTime of this.#running.keys()) note(fireTime);
    for (const fireTime of this.#later) note(fireTime);
    return earliest;
  }

  /** Resolves when everything that was started has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #fill(): void {
    while (this.#running.size < maxConcurrent && this.#next < this.#waiting.length) {
      const fireTime = this.#waiting[this.#next]!;
      this.#next += 1;
      const done = this.#run(fireTime).then((result) => {
        this.#running.delete(fireTime);
        if (result === 'later') this.#later.add(fireTime);
        this.#fill();
      });
      this.#running.set(fireTime, done);
    }
    if (this.#next < this.#waiting.length || this.#running.size > 0) return;
    this.#waiting = [];
    this.#next = 0;
    this.#onEmpty();
  }
}

/** A scheduled time that this process has decided. */
export interface DecidedFireTime {
  readonly kind: ScheduleKind;
  readonly outcome: FireTimeOutcome;
  /** How long after its time, in milliseconds. */
  readonly lateMs: number;
}
