import type { Systeminformation } from 'systeminformation';
import type { Clock } from '../../base/clock.ts';
import type { WatchedAttempt } from '../launcher.ts';
import { countCores, loadSystemInformation } from './machine-probe.ts';
import type { TreeReader, TreeReading, TreeUsage } from './proc-trees.ts';

type Row = Pick<Systeminformation.ProcessesProcessData, 'pid' | 'parentPid' | 'cpu' | 'memRss'>;

/**
 * Systems without `/proc`: processes started by this host and their descendants, as listed by `ps` or PowerShell.
 * Orphaned processes are not found, and CPU time is derived from the percentage that the system reports.
 */
export class LibraryTrees implements TreeReader {
  readonly #clock: Clock;
  readonly #tracked: () => readonly WatchedAttempt[];

  constructor(clock: Clock, tracked: () => readonly WatchedAttempt[]) {
    this.#clock = clock;
    this.#tracked = tracked;
  }

  async read(elapsedMs: number): Promise<TreeReading> {
    const tracked = this.#tracked();
    if (tracked.length === 0) return { trees: new Map(), costMs: 0 };
    const { processes } = await loadSystemInformation();
    const started = this.#clock.monotonic();
    const { list } = await processes();
    const trees = measureRows(list, tracked, { elapsedMs, cores: countCores() });
    return { trees, costMs: this.#clock.monotonic() - started };
  }

  clear(): void {}
}

/** Sums the rows below each root. `cpu` is in percent of all cores; macOS reports percent of one. */
export function measureRows(
  rows: readonly Row[],
  roots: readonly WatchedAttempt[],
  { elapsedMs, cores }: { readonly elapsedMs: number; readonly cores: number },
): Map<string, TreeUsage> {
  const perPercent = (elapsedMs / 100) * (process.platform === 'darwin' ? 1 : cores);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const children = Map.groupBy(rows, ({ parentPid }) => parentPid);
  const trees = new Map<string, TreeUsage>();
  for (const { pid, attemptDir } of roots) {
    const members = new Set<Row>();
    const open = [byPid.get(pid)];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      // Pids are reused, so on Windows parents may form a cycle.
      if (members.has(row)) continue;
      members.add(row);
      open.push(...(children.get(row.pid) ?? []));
    }
    const usage = { cpuMs: 0, memory: 0, processes: members.size };
    for (const { cpu, memRss } of members) {
      usage.cpuMs += cpu * perPercent;
      usage.memory += memRss * 1024;
    }
    if (members.size > 0) trees.set(attemptDir, usage);
  }
  return trees;
}
