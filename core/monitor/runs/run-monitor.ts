import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { RunRecord, RunRef } from '../../model/run/run.ts';
import type { RunStatus } from '../../model/run/status.ts';
import { threadCpuMs } from '../thread-cpu.ts';
import { RunUsage } from './run-usage.ts';
import type { TreeReader, TreeUsage } from './tree-reader.ts';

/** What a run monitor is put together from. */
export interface RunMonitorParts {
  readonly clock: Clock;
  /** Absolute path of the home. */
  readonly home: string;
  readonly cores: number;
  readonly trees: TreeReader;
  readonly store: {
    /** Newest first, pages by `before`. */
    listRuns(filter: {
      readonly statuses: readonly RunStatus[];
      readonly before?: number | undefined;
      readonly limit: number;
    }): readonly RunRecord[];
  };
}

/** Ended runs that are remembered; their points are two kilobytes each. */
const mostEnded = 100;
const pageSize = 1000;
/** After a reading that was busy for so long, this many times as long passes: a fifth of a percent. */
const restFactor = 500;

/** Follows what the processes of active runs use, whichever host drives them where the system tells (Linux). */
export class RunMonitor {
  readonly #parts: RunMonitorParts;
  /** The longest ended first, after those that are active. */
  readonly #usages = new Map<string, RunUsage>();
  /** When processes were looked at, monotonic; undefined when nothing is to be told from then. */
  #lookedAt: number | undefined;
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RunMonitorParts) {
    this.#parts = parts;
  }

  /** Undefined when no process of the run could be looked at, or when it is too long ago. */
  find(run: RunRef): RunUsage | undefined {
    return this.#usages.get(keyOf(run));
  }

  /** What comes next cannot be compared with what was before: the machine has slept. */
  rebase(): void {
    this.#lookedAt = undefined;
  }

  /** Looks at all active runs, unless the last look was so dear that it has to wait. */
  async look(at: number): Promise<void> {
    const { clock, trees } = this.#parts;
    const begun = clock.monotonic();
    if (begun < this.#dueAt) return;
    const before = threadCpuMs();
    const runs = this.#listActive();
    this.#endOthers(runs);
    if (runs.length === 0) {
      trees.clear();
      this.#lookedAt = begun;
      return;
    }
    const listingMs = threadCpuMs() - before;
    const elapsedMs = this.#lookedAt === undefined ? undefined : begun - this.#lookedAt;
    const reading = await trees.read(elapsedMs ?? 0);
    this.#lookedAt = begun;
    this.#dueAt = begun + (listingMs + reading.costMs) * restFactor;
    const used = this.#sumUp(runs, reading.trees);
    for (const run of runs) this.#note(run, used.get(keyOf(run)), { at, elapsedMs });
  }

  #note(
    run: RunRef,
    usage: TreeUsage = { cpuMs: 0, memory: 0, processes: 0 },
    { at, elapsedMs }: { readonly at: number; readonly elapsedMs: number | undefined },
  ): void {
    const key = keyOf(run);
    const known = this.#usages.get(key) ?? new RunUsage();
    known.isActive = true;
    this.#usages.set(key, known);
    known.add(at, usage, elapsedMs, this.#parts.cores);
  }

  #listActive(): RunRecord[] {
    const runs: RunRecord[] = [];
    for (;;) {
      const page = this.#parts.store.listRuns({
        statuses: ['running'],
        before: runs.at(-1)?.key,
        limit: pageSize,
      });
      runs.push(...page);
      if (page.length < pageSize) return runs;
    }
  }

  #endOthers(runs: readonly RunRef[]): void {
    const active = new Set(runs.map(keyOf));
    for (const [key, usage] of [...this.#usages]) {
      if (!usage.isActive || active.has(key)) continue;
      usage.isActive = false;
      usage.last = undefined;
      // To the end: the map is in the order in which they ended.
      this.#usages.delete(key);
      this.#usages.set(key, usage);
    }
    const ended = [...this.#usages].filter(([, { isActive }]) => !isActive);
    for (const [key] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#usages.delete(key);
  }

  /** By run: its own trees, and those of the runs that its steps have started. */
  #sumUp(runs: readonly RunRecord[], trees: ReadonlyMap<string, TreeUsage>): ReadonlyMap<string, TreeUsage> {
    const byKey = new Map(runs.map((run) => [keyOf(run), run]));
    const byDir = new Map(
      runs
        .filter(({ logDir }) => logDir !== '')
        .map((run) => [path.resolve(this.#parts.home, run.logDir), run]),
    );
    const sums = new Map<string, TreeUsage>();
    for (const [attemptDir, tree] of trees) {
      let run = findOwner(attemptDir, byDir);
      const passed = new Set<RunRecord>();
      while (run && !passed.has(run)) {
        passed.add(run);
        const key = keyOf(run);
        sums.set(key, add(sums.get(key), tree));
        run = run.parent && byKey.get(keyOf(run.parent));
      }
    }
    return sums;
  }
}

/** Attempts lie below their run's directory, at different depths. */
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

const keyOf = ({ name, dagRunId }: RunRef): string => `${name}/${dagRunId}`;
