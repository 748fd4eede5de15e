import { statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { CpuGauge } from './cpu-gauge.ts';
import { loadSystemInformation } from '../system-information.ts';

/** Measured values with two decimals; NaN if not available. */
export interface MachineState {
  /** Percent of all cores, since the last measurement. */
  readonly cpu: number;
  /** Percent of memory not available to programs. */
  readonly memory: number;
  /** Usage of the home's disk in percent. */
  readonly disk: number;
  /** Load average of the last minute. Not available on Windows. */
  readonly load: number;
}

/** Totals that the percentages refer to. */
export interface MachineSize {
  readonly cores: number;
  /** In bytes. */
  readonly memory: number;
  /** Size of the home's disk in bytes; absent until known. */
  readonly disk?: number;
}

/** Measures the machine. A failed value is NaN. */
export class MachineProbe {
  readonly #home: string;
  readonly #cpu = new CpuGauge();
  #diskSize: number | undefined;

  /** @param home absolute path of the home */
  constructor(home: string) {
    this.#home = home;
  }

  get size(): MachineSize {
    const disk = this.#diskSize;
    return { cores: countCores(), memory: totalmem(), ...(disk === undefined ? {} : { disk }) };
  }

  /** Discards the last CPU times, so that the next measurement has no CPU value. */
  rebase(): void {
    this.#cpu.measure();
  }

  /** Measures the machine. Never rejects. */
  async read(): Promise<MachineState> {
    const cpu = this.#cpu.measure() ?? Number.NaN;
    const load = process.platform === 'win32' ? Number.NaN : (loadavg()[0] ?? Number.NaN);
    const [memory, disk] = await Promise.all([
      orUnknown(measureMemory),
      orUnknown(() => this.#measureDisk()),
    ]);
    return { cpu: round(cpu), memory: round(memory), disk: round(disk), load: round(load) };
  }

  /** Measures disk usage like `df`: space reserved for the administrator counts neither as used nor as free. */
  async #measureDisk(): Promise<number> {
    const { blocks, bfree, bavail, bsize } = await statfs(this.#home);
    this.#diskSize = blocks * bsize;
    const used = blocks - bfree;
    return (100 * used) / (used + bavail);
  }
}

/** Returns the number of cores. A container may have fewer than the machine, but CPU time is counted for all. */
export const countCores = (): number => cpus().length || availableParallelism();

/**
 * Measures memory usage. On Linux and Windows, Node's free memory is what programs can use; on macOS it excludes
 * reclaimable memory, so the library uses `vm_stat` there.
 */
async function measureMemory(): Promise<number> {
  if (process.platform !== 'darwin') return 100 * (1 - freemem() / totalmem());
  const { mem } = await loadSystemInformation();
  const { available, total } = await mem();
  return 100 * (1 - available / total);
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function orUnknown(measure: () => Promise<number>): Promise<number> {
  try {
    return await measure();
  } catch {
    return Number.NaN;
  }
}
