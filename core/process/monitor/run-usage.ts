import type { TreeUsage } from './proc-trees.ts';

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
