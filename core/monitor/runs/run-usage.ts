import type { TreeUsage } from './tree-reader.ts';

/** What the processes of a run used at one time. */
export interface UsagePoint {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Percent of all cores, since the point before. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  readonly processes: number;
}

/** Points of a run, however long it takes: when there are more, each two neighbours become one. */
export const mostPoints = 120;

/** What has been seen of one run. */
export class RunUsage {
  /** Ascending; each stands for the time since the one before. */
  readonly points: UsagePoint[] = [];
  /** Whether the run's processes are looked at now. */
  isActive = true;
  /** CPU time in milliseconds of the processes seen. */
  cpuMs = 0;
  peakCpu = 0;
  peakMemory = 0;
  /** The newest reading. */
  last: UsagePoint | undefined;
  /** Readings that make a point, and those that wait to become one. */
  #perPoint = 1;
  #waiting: UsagePoint[] = [];

  /**
   * @param elapsedMs since the reading before; undefined when it is not known in which time the CPU time was used:
   *   then only the sum grows
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
    if (this.points.length > mostPoints) this.#thinOut();
  }

  #thinOut(): void {
    const points = this.points.splice(0);
    // An odd one out waits for the readings that it needs to stand for as many as the others.
    if (points.length % 2 === 1) this.#waiting = Array.from({ length: this.#perPoint }, () => points.at(-1)!);
    for (let index = 0; index + 1 < points.length; index += 2)
      this.points.push(merge(points.slice(index, index + 2)));
    this.#perPoint *= 2;
  }
}

/** Mean of the CPU, most of the rest, since that is what one asks for. */
function merge(points: readonly UsagePoint[]): UsagePoint {
  return {
    at: points.at(-1)!.at,
    cpu: points.reduce((sum, { cpu }) => sum + cpu, 0) / points.length,
    memory: Math.max(...points.map(({ memory }) => memory)),
    processes: Math.max(...points.map(({ processes }) => processes)),
  };
}
