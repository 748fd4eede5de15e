import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { RunRecord, RunRef, RunStatus } from '../../model/run.ts';
import type { TreeUsage, TreeReader } from './proc-trees.ts';
import { threadCpuMs } from './machine-probe.ts';

/** Usage of a run's processes at one time. */
export interface UsagePoint {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Percent of all cores, since the previous point. */
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
  readonly processes: number;
}

/** Maximum points of a run of any duration: when exceeded, each two neighbours are merged. */
export const maxPoints = 120;

/** Measured usage of a run. */
export class RunUsage {
  /** Ascending; each covers the time since the previous one. */
  readonly points: UsagePoint[] = [];
  /** Whether the run's processes are being measured. */
  isActive = true;
  /** CPU time of the measured processes in milliseconds. */
  cpuMs = 0;
  peakCpu = 0;
  peakMemory = 0;
  /** The newest reading. */
  last: UsagePoint | undefined;
  /** Number of readings per point, and readings not merged yet. */
  #perPoint = 1;
  #waiting: UsagePoint[] = [];

  /**
   * @param elapsedMs since the last reading; undefined if the CPU time cannot be assigned to a period: then only the
   * sum increases
   */
  add(
    at: number,
    { cpuMs, memory, processes }: TreeUsage,
    elapsedMs: number | undefined,
    cores: number,
  ): void {
    this.cpuMs += cpuMs;
    this.peakMemory = Math.max(this.peakMemory, memory);
    if (elapsedMs === undefined || elapsedMs <= 0) return;
    const cpu = Math.min(100, (100 * cpuMs) / (elapsedMs * cores));
    this.peakCpu = Math.max(this.peakCpu, cpu);
    this.last = { at, cpu, memory, processes };
    this.#waiting.push(this.last);
    if (this.#waiting.length < this.#perPoint) return;
    this.points.push(merge(this.#waiting));
    this.#waiting = [];
    if (this.points.length > maxPoints) this.#downsample();
  }

  #downsample(): void {
    const points = this.points.splice(0);
    // An unpaired point waits for readings, so that it represents as many as the others.
    if (points.length % 2 === 1) this.#waiting = Array.from({ length: this.#perPoint }, () => points.at(-1)!);
    for (let index = 0; index + 1 < points.length; index += 2)
      this.points.push(merge(points.slice(index, index + 2)));
    this.#perPoint *= 2;
  }
}

/** Merges points: mean of CPU, maximum of the others, because peaks matter there. */
function merge(points: readonly UsagePoint[]): UsagePoint {
  return {
    at: points.at(-1)!.at,
    cpu: points.reduce((sum, { cpu }) => sum + cpu, 0) / points.length,
    memory: Math.max(...points.map(({ memory }) => memory)),
    processes: Math.max(...points.map(({ processes }) => processes)),
  };
}

/** Maximum number of ended runs with stored usage; the points of each take two kilobytes. */
const maxEnded = 100;
const pageSize = 1000;
/** After a reading, the monitor rests for this multiple of its CPU time: a load of 0.2%. */
const idleFactor = 500;

interface MonitoredRuns {
  /** Changes with each commit. */
  commitRevision(): string;
  /** Lists runs, newest first, paginated by `before`. */
  listRuns(filter: {
    readonly statuses: readonly RunStatus[];
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<readonly RunRecord[]>;
}

/** Measures the processes of active runs, on Linux regardless of which host drives them. */
export class RunMonitor {
  readonly #clock: Clock;
  /** Absolute path of the home. */
  readonly #home: string;
  readonly #cores: number;
  readonly #trees: TreeReader;
  readonly #store: MonitoredRuns;
  /** Active and ended runs; ended runs are in the order in which they ended. */
  readonly #usages = new Map<string, RunUsage>();
  /** Monotonic time of the last reading; undefined if it cannot be compared. */
  #lookedAt: number | undefined;
  #dueAt = Number.NEGATIVE_INFINITY;
  /** The active runs, and the revision that they were read at. */
  #active: { readonly revision: string; readonly runs: readonly RunRecord[] } | undefined;

  constructor(clock: Clock, home: string, cores: number, trees: TreeReader, store: MonitoredRuns) {
    this.#clock = clock;
    this.#home = home;
    this.#cores = cores;
    this.#trees = trees;
    this.#store = store;
  }

  /** Returns the usage of a run; undefined if no process was measured, or too long ago. */
  find(run: RunRef): RunUsage | undefined {
    return this.#usages.get(getKey(run));
  }

  /** Discards the last reading, because the machine has slept. */
  rebase(): void {
    this.#lookedAt = undefined;
  }

  /** Measures all active runs, unless the monitor must rest after an expensive reading. */
  async sample(at: number): Promise<void> {
    if (this.#clock.monotonic() < this.#dueAt) return;
    const before = threadCpuMs();
    const listing = this.#listActive();
    // Taken before the wait for a server, in which this thread does other work.
    const listingMs = threadCpuMs() - before;
    const runs = await listing;
    const started = this.#clock.monotonic();
    this.#endOthers(runs);
    if (runs.length === 0) {
      this.#trees.clear();
      this.#lookedAt = started;
      return;
    }
    const elapsedMs = this.#lookedAt === undefined ? undefined : started - this.#lookedAt;
    const reading = await this.#trees.read(elapsedMs ?? 0);
    this.#lookedAt = started;
    this.#dueAt = started + (listingMs + reading.costMs) * idleFactor;
    const measured = this.#sumUp(runs, reading.trees);
    for (const run of runs) this.#record(run, measured.get(getKey(run)), { at, elapsedMs });
  }

  #record(
    run: RunRef,
    usage: TreeUsage = { cpuMs: 0, memory: 0, processes: 0 },
    { at, elapsedMs }: { readonly at: number; readonly elapsedMs: number | undefined },
  ): void {
    const key = getKey(run);
    const known = this.#usages.get(key) ?? new RunUsage();
    known.isActive = true;
    this.#usages.set(key, known);
    known.add(at, usage, elapsedMs, this.#cores);
  }

  async #listActive(): Promise<readonly RunRecord[]> {
    const revision = this.#store.commitRevision();
    if (this.#active?.revision !== revision) this.#active = { revision, runs: await this.#readActive() };
    return this.#active.runs;
  }

  async #readActive(): Promise<RunRecord[]> {
    const runs: RunRecord[] = [];
    for (;;) {
      const page = await this.#store.listRuns({
        statuses: ['running'],
        before: runs.at(-1)?.key,
        limit: pageSize,
      });
      runs.push(...page);
      if (page.length < pageSize) return runs;
    }
  }

  #endOthers(runs: readonly RunRef[]): void {
    const active = new Set(runs.map(getKey));
    for (const [key, usage] of [...this.#usages]) {
      if (!usage.isActive || active.has(key)) continue;
      usage.isActive = false;
      usage.last = undefined;
      // Moves the run to the end, so that the map is in the order in which runs ended.
      this.#usages.delete(key);
      this.#usages.set(key, usage);
    }
    const ended = [...this.#usages].filter(([, { isActive }]) => !isActive);
    for (const [key] of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#usages.delete(key);
  }

  /** Sums usage by run: its own trees, and those of its sub-runs. */
  #sumUp(runs: readonly RunRecord[], trees: ReadonlyMap<string, TreeUsage>): ReadonlyMap<string, TreeUsage> {
    const byKey = new Map(runs.map((run) => [getKey(run), run]));
    const byDir = new Map(
      runs.filter(({ logDir }) => logDir !== '').map((run) => [path.resolve(this.#home, run.logDir), run]),
    );
    const totals = new Map<string, TreeUsage>();
    for (const [attemptDir, tree] of trees) {
      let run = findOwner(attemptDir, byDir);
      const visited = new Set<RunRecord>();
      while (run && !visited.has(run)) {
        visited.add(run);
        const key = getKey(run);
        totals.set(key, add(totals.get(key), tree));
        run = run.parent && byKey.get(getKey(run.parent));
      }
    }
    return totals;
  }
}

/** Finds the run of an attempt. Attempts are below their run's directory, at different depths. */
function findOwner(attemptDir: string, byDir: ReadonlyMap<string, RunRecord>): RunRecord | undefined {
  let dir = attemptDir;
  for (;;) {
    const above = path.dirname(dir);
    const run = byDir.get(above);
    if (run || above === dir) return run;
    dir = above;
  }
}

const add = (sum: TreeUsage = { cpuMs: 0, memory: 0, processes: 0 }, tree: TreeUsage): TreeUsage => ({
  cpuMs: sum.cpuMs + tree.cpuMs,
  memory: sum.memory + tree.memory,
  processes: sum.processes + tree.processes,
});

const getKey = ({ name, dagRunId }: RunRef): string => `${name}/${dagRunId}`;
