import { findNext, timesAfter } from '../../spec/schedule/next-run.ts';
import { scheduleKinds, type ScheduleKind, type FireTimeRef } from '../../model/fire-time.ts';
import type { Catchup } from '../../model/workflow.ts';
import type { Clock } from '../../base/clock.ts';
import { type AppError, toAppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run.ts';
import type { PendingRestart, ScheduleStore } from '../../store/types/schedules.ts';
import type { ScheduledDag } from './dag-index.ts';

/**
 * How late a slot may be and still count as on time, in milliseconds: the time in which another scheduler takes over.
 */
export const graceMs = 60_000;
/** Most missed slots of one workflow to catch up on. */
const maxMissed = 1000;

/** Defaults for workflows that do not set catch-up. */
export interface CatchupDefaults {
  readonly zone: string | undefined;
  readonly catchup: Catchup;
  readonly windowMs: number;
}

/** The due slots of a workflow. */
export interface DueFireTimes {
  /** In execution order. */
  readonly fireTimes: readonly FireTimeRef[];
  /** Number of starts that are skipped because they were missed. */
  readonly missed: number;
  /** The last start that was missed. */
  readonly lastMissed?: number;
  /** Whether more starts were missed than were counted. */
  readonly isMissedPart: boolean;
  /** Number of starts that are caught up on. */
  readonly caughtUp: number;
}

/** Of slots that are due together, a run is stopped before one is started. */
const kindOrder: readonly ScheduleKind[] = ['stop', 'restart', 'start'];

/**
 * Finds the slots of a workflow after an instant, up to another one. Slots that are late by more than the grace period
 * are missed: starts are caught up on as the workflow defines; nothing is stopped or restarted late.
 */
export function findDueFireTimes(
  dag: ScheduledDag,
  after: number,
  now: number,
  defaults: CatchupDefaults,
): DueFireTimes {
  const onTimeFrom = Math.max(after, now - graceMs);
  const fireTimes = scheduleKinds.flatMap((kind) =>
    list(dag, kind, { after: onTimeFrom, until: now, zone: defaults.zone, max: 10_000 }),
  );
  const hasStart = fireTimes.some(({ kind }) => kind === 'start');
  const late = after < onTimeFrom ? findMissed(dag, after, onTimeFrom, defaults) : [];
  const { catchup = defaults.catchup } = dag;
  const caughtUpTimes = catchup === 'all' ? late : catchup === 'last' && !hasStart ? late.slice(-1) : [];
  return {
    fireTimes: [...caughtUpTimes, ...fireTimes].toSorted(inOrder),
    missed: late.length - caughtUpTimes.length,
    lastMissed: late.at(-1)?.at,
    isMissedPart: late.length >= maxMissed,
    caughtUp: caughtUpTimes.length,
  };
}

function inOrder(a: FireTimeRef, b: FireTimeRef): number {
  return a.at - b.at || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind);
}

function findMissed(
  dag: ScheduledDag,
  after: number,
  until: number,
  defaults: CatchupDefaults,
): FireTimeRef[] {
  const windowMs = dag.catchupWindowSec === undefined ? defaults.windowMs : dag.catchupWindowSec * 1000;
  const from = Math.max(after, until - windowMs);
  return list(dag, 'start', { after: from, until, zone: defaults.zone, max: maxMissed });
}

interface Range {
  readonly after: number;
  readonly until: number;
  readonly zone: string | undefined;
  readonly max: number;
}

/** Longest list to enumerate; the number of older slots is estimated from the density of the newest ones. */
const maxSteps = 20_000;

/** Returns the newest slots when there are too many. */
function list(dag: ScheduledDag, kind: ScheduleKind, { after, until, zone, max }: Range): FireTimeRef[] {
  const fireTimes: FireTimeRef[] = [];
  let steps = 0;
  let times = timesAfter(dag.schedule[kind], after, zone);
  for (;;) {
    const next = times.next().value;
    if (next === undefined || next.at > until) return fireTimes.slice(-max);
    fireTimes.push({ dag: dag.dag, kind, at: next.at });
    if (fireTimes.length >= 2 * max) fireTimes.splice(0, max);
    steps += 1;
    if (steps !== maxSteps) continue;
    const from = Math.max(next.at, until - 4 * max * ((next.at - after) / steps));
    times = timesAfter(dag.schedule[kind], from, zone);
  }
}

/** Returns the next instant at which a slot of a workflow is due. */
export function findNextInstant(
  dag: ScheduledDag,
  after: number,
  zone: string | undefined,
): number | undefined {
  let earliest: number | undefined;
  for (const kind of scheduleKinds) {
    const at = findNext(dag.schedule[kind], after, zone)?.at;
    if (at !== undefined && (earliest === undefined || at < earliest)) earliest = at;
  }
  return earliest;
}

/** The second half of scheduled restarts. The next process completes the restarts of one that died. */
export class Restarts {
  readonly #store: ScheduleStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Logger;
  /** Waits for the end of a run that was asked to stop and for `restartWaitSec`. */
  readonly #waitForEnd: (run: RunRef) => Promise<void>;
  /** Creates and drives the new run, together with the slot's row. */
  readonly #repeat: (run: RunRef, fireTime: FireTimeRef) => Promise<unknown>;
  readonly #started = new Set<string>();
  #isClosed = false;

  constructor(
    store: ScheduleStore,
    clock: Pick<Clock, 'now'>,
    logger: Logger,
    waitForEnd: (run: RunRef) => Promise<void>,
    repeat: (run: RunRef, fireTime: FireTimeRef) => Promise<unknown>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#waitForEnd = waitForEnd;
    this.#repeat = repeat;
  }

  /** Completes pending restarts; call this when this process becomes the active one. */
  async resume(): Promise<void> {
    for (const pending of await this.#store.listRestarts()) this.finish(pending);
  }

  /** Starts the run again when it has ended. */
  finish(pending: PendingRestart): void {
    const key = `${pending.fireTime.dag}@${pending.fireTime.at}`;
    if (this.#started.has(key)) return;
    this.#started.add(key);
    void this.#finish(pending)
      .catch((error: unknown) => this.#fail(pending, toAppError(error)))
      .finally(() => this.#started.delete(key));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #finish({ fireTime, run }: PendingRestart): Promise<void> {
    await this.#waitForEnd(run);
    if (!this.#isClosed) await this.#repeat(run, fireTime);
  }

  async #fail({ fireTime }: PendingRestart, { code, message }: AppError): Promise<void> {
    if (this.#isClosed || code === 'stale_owner') return;
    this.#logger.warn('A scheduled restart failed', { dag: fireTime.dag, message });
    try {
      await this.#store.rejectRestart(fireTime, message, this.#clock.now());
    } catch (error) {
      this.#logger.error('Cannot record a scheduled restart', { message: String(error) });
    }
  }
}
