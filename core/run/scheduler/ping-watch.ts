import type { Clock } from '../../base/clock.ts';
import { formatDuration } from '../../base/text.ts';
import { timings } from '../../base/timings.ts';
import type { PingCheck, PingStatus } from '../../model/expectation.ts';
import { findNext } from '../../spec/schedule/next-run.ts';
import type { MissingPing, PingStore } from '../../store/types/pings.ts';

/** When a check expects its next ping, and from when on it is missing. Epoch milliseconds. */
export interface ExpectedPing extends MissingPing {
  readonly expectedAt: number;
}

/**
 * Returns what a check expects next; undefined before its first ping, so that a new check is not missing while the job is
 * set up, and when its schedule never occurs again.
 */
export function findExpectedPing(check: PingCheck, zone: string | undefined): ExpectedPing | undefined {
  const { lastAt, startedAt, graceMs, periodMs, schedule, timezone } = check;
  if (lastAt === undefined) return undefined;
  if (startedAt !== undefined) {
    const message = `The job started and did not end within ${formatDuration(graceMs)}.`;
    return { expectedAt: startedAt, deadline: startedAt + graceMs, isLong: true, message };
  }
  const expectedAt =
    periodMs === undefined ? findNext([schedule!], lastAt, timezone ?? zone)?.at : lastAt + periodMs;
  if (expectedAt === undefined) return undefined;
  const message =
    periodMs === undefined
      ? `No ping arrived within ${formatDuration(graceMs)} of the scheduled time.`
      : `No ping arrived for ${formatDuration(periodMs + graceMs)}.`;
  return { expectedAt, deadline: expectedAt + graceMs, isLong: false, message };
}

/** Returns the status of a check at an instant. */
export function findPingStatus(check: PingCheck, zone: string | undefined, now: number): PingStatus {
  const expected = findExpectedPing(check, zone);
  if (check.lastAt === undefined) return 'new';
  if (expected !== undefined && now > expected.deadline) return 'missing';
  if (check.startedAt !== undefined) return 'running';
  if (check.lastKind === 'fail') return 'failed';
  return expected !== undefined && now > expected.expectedAt ? 'late' : 'ok';
}

/**
 * Decides which pings are missing. A miss is one row, whichever scheduler adds it. The scheduler makes one call at a time.
 */
export class PingWatch {
  readonly #store: PingStore;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #zone: string | undefined;
  readonly #commitRevision: () => string;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checks: readonly PingCheck[] = [];
  /** When the checks were read. */
  #revision: string | undefined;

  /**
   * @param commitRevision as in `Database`
   * @param zone of schedules that name none
   */
  constructor(
    store: PingStore,
    commitRevision: () => string,
    clock: Pick<Clock, 'now' | 'monotonic'>,
    zone: string | undefined,
  ) {
    this.#store = store;
    this.#commitRevision = commitRevision;
    this.#clock = clock;
    this.#zone = zone;
  }

  /** Decides what is due; most calls return at once. */
  async check(): Promise<void> {
    if (this.#clock.monotonic() - this.#checkedAt < timings.expectationCheck) return;
    this.#checkedAt = this.#clock.monotonic();
    const now = this.#clock.now();
    const revision = this.#commitRevision();
    if (revision !== this.#revision) this.#checks = await this.#store.listChecks();
    this.#revision = revision;
    for (const check of this.#checks) {
      const expected = findExpectedPing(check, this.#zone);
      if (expected !== undefined && now > expected.deadline)
        await this.#store.recordMissing(check, expected, now);
    }
  }
}
