import type { Clock } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import { timings } from '../../base/timings.ts';
import { formatDuration, pluralize } from '../../base/text.ts';
import { minUsualRuns, type MissedExpectation } from '../../model/expectation.ts';
import type { Expect } from '../../model/workflow.ts';
import { findNextDeadline, type DailyDeadline, type Deadline } from '../../spec/schedule/count-times.ts';
import { findTimeZone } from '../../spec/schedule/time-zone.ts';
import type { ExpectationState, ExpectationStore, RunTimes } from '../../store/types/expectations.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { RunStatisticsStore } from '../../store/types/statistics.ts';
import type { IndexChanges, ScheduledDag } from './dag-index.ts';
import { TimeHeap, type DueDag } from './due-queue.ts';

/** How often a workflow that is silent or suspended is checked again. */
const recheckMs = 60_000;
/** How far back ended runs are examined by a scheduler that takes over. */
const lookBackMs = 86_400_000;
/** Rows of older misses are removed. */
const retentionMs = 90 * 86_400_000;

/** A workflow with expectations. */
type ExpectingDag = ScheduledDag & { readonly expect: Expect };

type RunSource = Pick<RunStatisticsStore, 'usualDuration'> & Pick<RunStore, 'commitRevision'>;

interface Entry {
  readonly dag: ExpectingDag;
  readonly rule: 'by' | 'every';
  readonly deadline?: Deadline;
}

/**
 * Decides what is late, long or missing. Deadlines are instants of the wall clock, so that they are decided late after
 * sleep, but once: a miss is one row, whichever scheduler adds it. The scheduler makes one call at a time.
 */
export class ExpectationWatch {
  readonly #store: ExpectationStore;
  readonly #runs: RunSource;
  readonly #isSuspended: (dag: string) => Promise<boolean>;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Time zone of workflows that name none. */
  readonly #zone: string | undefined;
  readonly #heap = new TimeHeap<Entry>();
  readonly #dags = new Map<string, ExpectingDag>();
  #dagsByName: ReadonlyMap<string, readonly ExpectingDag[]> = new Map();
  #states = new Map<string, ExpectationState>();
  /** Of the last check. */
  #revision: string | undefined;
  /** Runs that were active at the last check. */
  #active: readonly RunTimes[] = [];
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isPaused = false;
  /** Starts missed up to here were missed on purpose. */
  #resumedAt = 0;

  constructor(
    store: ExpectationStore,
    runs: RunSource,
    isSuspended: (dag: string) => Promise<boolean>,
    clock: Pick<Clock, 'now' | 'monotonic'>,
    zone: string | undefined,
  ) {
    this.#store = store;
    this.#runs = runs;
    this.#isSuspended = isSuspended;
    this.#clock = clock;
    this.#zone = zone;
  }

  /** Continues for these workflows, from what the database says. */
  async activate(dags: Iterable<ScheduledDag>): Promise<void> {
    const now = this.#clock.now();
    this.#dags.clear();
    this.#heap.clear();
    this.#active = [];
    await this.apply({ changed: [...dags], removed: [] });
    await this.#store.purge(now - retentionMs);
    for (const dag of this.#dags.values())
      if (hasDurations(dag.expect))
        for (const run of await this.#store.listEndedSince(dag.name, now - lookBackMs))
          await this.#checkRun(dag, run, now);
  }

  async apply({ changed, removed }: IndexChanges): Promise<void> {
    this.#revision = undefined;
    for (const dag of removed) this.#dags.delete(dag);
    const expecting = changed.filter(isExpecting);
    for (const dag of changed) if (!isExpecting(dag)) this.#dags.delete(dag.dag);
    for (const dag of expecting) this.#dags.set(dag.dag, dag);
    this.#dagsByName = Map.groupBy(this.#dags.values(), ({ name }) => name);
    const now = this.#clock.now();
    const known = expecting.map((dag) => ({
      dag: dag.dag,
      mark: JSON.stringify([dag.expect, dag.schedule.start, dag.zone]),
    }));
    for (const [dag, state] of await this.#store.remember(known, now)) this.#states.set(dag, state);
    for (const dag of expecting) {
      const { since, decidedUntil } = this.#states.get(dag.dag)!;
      this.#addDeadline(dag, Math.max(since, decidedUntil));
      if (dag.expect.everySec !== undefined) this.#heap.add(now, { dag, rule: 'every' });
    }
  }

  /** Expectations rest while all schedules are paused, and count from the end of the pause. */
  async setPaused(isPaused: boolean): Promise<void> {
    const wasPaused = this.#isPaused;
    this.#isPaused = isPaused;
    if (isPaused || !wasPaused) return;
    this.#resumedAt = this.#clock.now();
    await this.#store.restart(this.#resumedAt);
    await this.activate([...this.#dags.values()]);
  }

  /** Decides what is due; most calls return at once. */
  async check(): Promise<void> {
    if (this.#clock.monotonic() - this.#checkedAt < timings.expectationCheck) return;
    this.#checkedAt = this.#clock.monotonic();
    const now = this.#clock.now();
    const revision = this.#runs.commitRevision();
    const isChanged = revision !== this.#revision;
    for (let due = this.#heap.take(now); due !== undefined; due = this.#heap.take(now)) {
      if (this.#dags.get(due.dag.dag) !== due.dag) continue;
      if (due.rule === 'by') await this.#decideBy(due.dag, due.deadline!, now);
      else await this.#decideEvery(due.dag, now);
    }
    await this.#checkRuns(now, isChanged);
    for (const miss of isChanged ? await this.#store.listOpen() : []) {
      const resolvedAt = await this.#findResolution(miss, now);
      if (resolvedAt !== undefined) await this.#store.resolve(miss.id, resolvedAt);
    }
    this.#revision = revision;
  }

  /** Reports starts that were missed and are not caught up on. */
  async missedStarts({ dag: { dag, name }, missed, caughtUp, lastMissed }: DueDag): Promise<void> {
    if (lastMissed === undefined || caughtUp > 0 || lastMissed <= this.#resumedAt) return;
    const message = `${pluralize(missed, 'scheduled run')} did not start because no scheduler was running.`;
    await this.#store.miss(
      { dag, name, kind: 'missing', rule: 'start', deadline: lastMissed, message },
      this.#clock.now(),
    );
  }

  #addDeadline(dag: ExpectingDag, after: number): void {
    const deadline = findNextDeadline(this.#dailyDeadline(dag), after);
    if (dag.expect.by !== undefined && deadline !== undefined)
      this.#heap.add(deadline.at + timings.expectationSettle, { dag, rule: 'by', deadline });
  }

  #dailyDeadline({ expect: { by = '00:00' }, schedule, zone }: ExpectingDag): DailyDeadline {
    return { by, start: schedule.start, zone: zone ?? this.#zone };
  }

  /** Decides the newest deadline that has passed: after sleep, earlier ones are not reported. */
  async #decideBy(dag: ExpectingDag, first: Deadline, now: number): Promise<void> {
    let deadline = first;
    for (
      let next: Deadline | undefined = first;
      next !== undefined && next.at + timings.expectationSettle <= now;
      next = findNextDeadline(this.#dailyDeadline(dag), next.at)
    )
      deadline = next;
    if (
      deadline.at > (await this.#since(dag)) &&
      !(await this.#store.hasSucceeded(dag.name, deadline.from - 1, deadline.at))
    ) {
      const message = `No run succeeded by ${this.#format(dag, deadline.at)}.`;
      await this.#miss(dag, { kind: 'late', rule: 'by', deadline: deadline.at, message });
    }
    await this.#store.advance(dag.dag, deadline.at);
    this.#addDeadline(dag, deadline.at);
  }

  async #decideEvery(dag: ExpectingDag, now: number): Promise<void> {
    const everyMs = dag.expect.everySec! * 1000;
    const last = await this.#store.lastSuccess(dag.dag, dag.name);
    const deadline = Math.max(last ?? 0, await this.#since(dag)) + everyMs;
    if (deadline + timings.expectationSettle > now)
      return this.#heap.add(deadline + timings.expectationSettle, { dag, rule: 'every' });
    const since = last === undefined ? 'yet' : `since ${this.#format(dag, last)}`;
    const message = `No run has succeeded ${since}. Expected: one every ${formatDuration(everyMs)}.`;
    await this.#miss(dag, { kind: 'missing', rule: 'every', deadline, message });
    this.#heap.add(now + recheckMs, { dag, rule: 'every' });
  }

  /** Since when the expectations of a workflow count, including its last resume. */
  async #since(dag: ExpectingDag): Promise<number> {
    const mark = JSON.stringify([dag.expect, dag.schedule.start, dag.zone]);
    const states = await this.#store.remember([{ dag: dag.dag, mark }], this.#clock.now());
    return states.get(dag.dag)!.since;
  }

  /** @param isChanged whether anything was committed since the last check */
  async #checkRuns(now: number, isChanged: boolean): Promise<void> {
    if (![...this.#dags.values()].some(({ expect }) => hasDurations(expect))) return;
    const active = isChanged
      ? (await this.#store.listActive()).filter(({ name }) => this.#dagsByName.has(name))
      : this.#active;
    const ids = new Set(active.map(toKey));
    const ended = await Promise.all(
      this.#active.filter((run) => !ids.has(toKey(run))).map((run) => this.#store.findTimes(run)),
    );
    this.#active = active;
    for (const run of [...active, ...ended.filter((each) => each !== undefined)])
      for (const dag of this.#dagsByName.get(run.name) ?? []) await this.#checkRun(dag, run, now);
  }

  async #checkRun(dag: ExpectingDag, run: RunTimes, now: number): Promise<void> {
    const { withinSec } = dag.expect;
    const end = run.finishedAt ?? now;
    const miss = async (
      missed: Pick<MissedExpectation, 'kind' | 'rule' | 'deadline' | 'message'>,
    ): Promise<void> => {
      if (end > missed.deadline && missed.deadline > this.#states.get(dag.dag)!.since)
        await this.#miss(dag, { ...missed, dagRunId: run.dagRunId });
    };
    if (withinSec !== undefined) {
      const deadline = run.dueAt + withinSec * 1000;
      const from = run.isScheduled ? 'its scheduled time' : 'its creation';
      const message = `The run did not end by ${this.#format(dag, deadline)}, within ${formatDuration(withinSec * 1000)} of ${from}.`;
      await miss({ kind: 'late', rule: 'within', deadline, message });
    }
    const limit = run.startedAt === undefined ? undefined : await this.#findLimit(dag, run);
    if (limit !== undefined)
      await miss({
        kind: 'long',
        rule: 'longest',
        deadline: run.startedAt! + limit.ms,
        message: `The run takes longer than ${formatDuration(limit.ms)}${limit.reason}.`,
      });
  }

  /** Returns the longest duration; undefined when there is none, or the usual one is not known yet. */
  async #findLimit(
    { name, expect }: ExpectingDag,
    { finishedAt }: RunTimes,
  ): Promise<{ ms: number; reason: string } | undefined> {
    const { longestSec, longestTimes } = expect;
    if (longestSec !== undefined) return { ms: longestSec * 1000, reason: '' };
    if (longestTimes === undefined) return undefined;
    const { runs, medianMs } = await this.#runs.usualDuration(name);
    // A run that has ended is one of them.
    const isKnown = runs >= minUsualRuns + (finishedAt === undefined ? 0 : 1);
    if (medianMs === undefined || !isKnown) return undefined;
    return {
      ms: longestTimes * medianMs,
      reason: `, ${longestTimes} times the usual ${formatDuration(medianMs)}`,
    };
  }

  async #miss(dag: ExpectingDag, missed: Omit<MissedExpectation, 'dag' | 'name'>): Promise<void> {
    if (await this.#isSuspended(dag.dag)) return;
    if (await this.#store.miss({ dag: dag.dag, name: dag.name, ...missed }, this.#clock.now()))
      failPoint('expectation.missed');
  }

  /** Returns when a miss was over; undefined while it lasts. */
  async #findResolution(
    { dag, name, rule, deadline, dagRunId }: MissedExpectation,
    now: number,
  ): Promise<number | undefined> {
    if (dagRunId !== undefined) {
      const run = await this.#store.findTimes({ name, dagRunId });
      return run === undefined ? now : run.finishedAt;
    }
    const { expect } = this.#dags.get(dag) ?? {};
    const isExpected = rule === 'start' || expect?.[rule === 'every' ? 'everySec' : 'by'] !== undefined;
    if (!isExpected || (await this.#isSuspended(dag))) return now;
    const last = await this.#store.lastSuccess(dag, name);
    return last !== undefined && last > deadline ? last : undefined;
  }

  /** Formats an instant for messages: `06:30 on 2026-01-31 (Europe/Berlin)`. */
  #format(dag: ExpectingDag, at: number): string {
    const zone = findTimeZone(dag.zone ?? this.#zone);
    const wall = new Date(at + zone.offsetAt(at)).toISOString();
    return `${wall.slice(11, 16)} on ${wall.slice(0, 10)} (${zone.name})`;
  }
}

const isExpecting = (dag: ScheduledDag): dag is ExpectingDag => dag.expect !== undefined;

const hasDurations = ({ withinSec, longestSec, longestTimes }: Expect): boolean =>
  (withinSec ?? longestSec ?? longestTimes) !== undefined;

const toKey = ({ name, dagRunId }: RunTimes): string => `${name} ${dagRunId}`;
