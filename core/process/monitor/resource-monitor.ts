import type { Clock, Dispose } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { PeakUsage, RunRef } from '../../model/run.ts';
import { MachineProbe, type MachineSize, type MachineState } from './machine-probe.ts';
import { quantities, ReadingBuffer, type Point, type Quantity } from './reading-buffer.ts';
import type { RunMonitor, RunUsage } from './run-monitor.ts';

/** Dependencies of a resource monitor. */
export interface ResourceMonitorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absolute path of the home, whose disk is measured. */
  readonly home: string;
  /** Interval between readings in seconds; 0 disables the monitor. */
  readonly intervalSec: number;
  readonly retentionSec: number;
  readonly runs: RunMonitor;
  readonly probe?: Pick<MachineProbe, 'read' | 'rebase' | 'size'>;
}

/** Resource usage of the machine over time. */
export interface ResourceHistory {
  readonly series: Readonly<Record<Quantity, readonly Point[]>>;
  readonly machine: MachineSize;
  readonly intervalSec: number;
}

/** The machine at one time. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: MachineState;
}

/** Twelve megabytes: a month at the default interval. */
const maxReadings = 500_000;

/**
 * Measures the machine and the active runs at regular intervals and stores the readings in memory. A reading for more
 * than two intervals, for example after sleep, is dropped, which leaves a gap.
 */
export class ResourceMonitor {
  readonly #options: ResourceMonitorOptions;
  readonly #probe: Pick<MachineProbe, 'read' | 'rebase' | 'size'>;
  readonly #ring: ReadingBuffer;
  readonly #readings: Emitter<Reading>;
  #stop: Dispose | undefined;
  #last = { at: 0, monotonic: 0 };
  #isReading = false;
  /** Whether the last reading failed; only the first of consecutive failures is logged. */
  #hasFailed = false;

  constructor(options: ResourceMonitorOptions) {
    this.#options = options;
    this.#probe = options.probe ?? new MachineProbe(options.home);
    const { intervalSec, retentionSec } = options;
    const capacity = intervalSec > 0 ? Math.ceil(retentionSec / intervalSec) + 1 : 1;
    this.#ring = new ReadingBuffer(Math.min(capacity, maxReadings));
    this.#readings = new Emitter((error) =>
      options.logger.error('A listener for resource readings failed', { message: String(error) }),
    );
  }

  /** Starts measuring, unless disabled; the first reading follows after one interval. */
  start(): void {
    const { clock, logger, intervalSec, retentionSec } = this.#options;
    if (intervalSec === 0 || this.#stop) return;
    if (retentionSec / intervalSec > maxReadings)
      logger.warn(
        `The resource monitor keeps only the latest ${maxReadings} readings, less than "monitor.retention" at this "monitor.intervalSec"`,
      );
    this.#rebase();
    this.#stop = clock.every(intervalSec * 1000, () => void this.#sample());
  }

  /** Calls the listener for every new reading. Throws `monitoring_off`. */
  subscribe(listener: (reading: Reading) => void): Dispose {
    this.#assertEnabled();
    return this.#readings.subscribe(listener);
  }

  /** Stops measuring; stored readings stay available. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /**
   * Returns the readings of the last `durationSec` seconds, at most `most` points per quantity. Throws
   * `monitoring_off`.
   */
  history(durationSec: number, max: number): ResourceHistory {
    this.#assertEnabled();
    const { clock, intervalSec, retentionSec } = this.#options;
    const to = clock.now();
    const from = to - Math.min(durationSec, retentionSec) * 1000;
    const series = Object.fromEntries(
      quantities.map((name) => [name, downsample(this.#ring.list(name, from), max, from, to)]),
    ) as Record<Quantity, readonly Point[]>;
    return { series, machine: this.#probe.size, intervalSec };
  }

  /** Returns the measured usage of a run's processes; undefined if there is none. Throws `monitoring_off`. */
  getUsage(run: RunRef): RunUsage | undefined {
    this.#assertEnabled();
    return this.#options.runs.find(run);
  }

  /** Returns the measured usage of a run's processes, also while the monitor is disabled. */
  recall(run: RunRef): RunUsage | undefined {
    return this.#options.runs.find(run);
  }

  /** Returns the measured peak usage of a run's processes; undefined if there is none. */
  getPeakUsage(run: RunRef): PeakUsage | undefined {
    const usage = this.recall(run);
    if (usage === undefined || usage.peakMemory === 0) return undefined;
    return { cpu: Math.round(usage.peakCpu * 100) / 100, memory: usage.peakMemory };
  }

  #assertEnabled(): void {
    if (this.#stop) return;
    throw new AppError(
      'monitoring_off',
      this.#options.intervalSec === 0
        ? 'Resource monitoring is off ("monitor.intervalSec" is 0). Set it to a number of seconds, such as 5, and restart this host.'
        : 'Resource monitoring is not available on this host. Use the desktop app, "engine server", "engine scheduler" or "engine start-all".',
    );
  }

  async #sample(): Promise<void> {
    const { clock, runs, intervalSec, logger } = this.#options;
    // A disk that does not respond, for example of a lost server, leaves a gap.
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const at = clock.now();
      const monotonic = clock.monotonic();
      const maxLength = 2000 * intervalSec;
      const isGap = at - this.#last.at > maxLength || monotonic - this.#last.monotonic > maxLength;
      this.#last = { at, monotonic };
      if (isGap) {
        this.#rebase();
        return;
      }
      const state = await this.#probe.read();
      this.#ring.push(at, state);
      this.#readings.emit({ at, state });
      // Monitor and store may have been closed in the meantime.
      if (this.#stop) await runs.sample(at);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) logger.warn('Cannot monitor resources', { reason: String(error) });
      this.#hasFailed = true;
    } finally {
      this.#isReading = false;
    }
  }

  #rebase(): void {
    const { clock, runs } = this.#options;
    this.#last = { at: clock.now(), monotonic: clock.monotonic() };
    this.#probe.rebase();
    runs.rebase();
  }
}

/**
 * Reduces points for a chart. The period is divided into equal parts; the points of a part are replaced by their mean,
 * at the time of the last one. Empty parts stay empty, so that gaps remain.
 * @param points ascending, none before `from` or after `to`
 */
export function downsample(
  points: readonly Point[],
  max: number,
  from: number,
  to: number,
): readonly Point[] {
  if (points.length <= max) return points;
  const width = (to - from) / max;
  const sampled: Point[] = [];
  let sum = 0;
  let count = 0;
  points.forEach(({ at, value }, index) => {
    sum += value;
    count += 1;
    const next = points[index + 1];
    if (next !== undefined && getPart(next.at) === getPart(at)) return;
    sampled.push({ at, value: sum / count });
    sum = 0;
    count = 0;
  });
  return sampled;

  function getPart(at: number): number {
    return Math.min(max - 1, Math.floor((at - from) / width));
  }
}
