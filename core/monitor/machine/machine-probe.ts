import { statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { CpuGauge } from './cpu-gauge.ts';
import { loadSystemInformation } from '../system-information.ts';

/** What is measured of the machine, with two digits after the point; NaN for what cannot be known. */
export interface MachineState {
  /** Percent of all cores, since the question before. */
  readonly cpu: number;
  /** Percent of the memory that programs could not have. */
  readonly memory: number;
  /** Percent of the disk that holds the home. */
  readonly disk: number;
  /** Programs that ran or wanted to, mean of the last minute. Windows has no such number. */
  readonly load: number;
}

/** What the percentages are of. */
export interface MachineSize {
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  /** Bytes, of the disk that holds the home; absent until it is known. */
  readonly disk?: number;
}

/** Measures the machine. A part that fails is NaN. */
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

  /** Forgets when it was last asked, so that the next answer says nothing of the CPU. */
  rebase(): void {
    this.#cpu.measure();
  }

  /** Never rejects. */
  async read(): Promise<MachineState> {
    const cpu = this.#cpu.measure() ?? Number.NaN;
    const load = process.platform === 'win32' ? Number.NaN : (loadavg()[0] ?? Number.NaN);
    const [memory, disk] = await Promise.all([
      orUnknown(measureMemory),
      orUnknown(() => this.#measureDisk()),
    ]);
    return { cpu: round(cpu), memory: round(memory), disk: round(disk), load: round(load) };
  }

  /** As `df` has it: what only the administrator may use counts neither as used nor as free. */
  async #measureDisk(): Promise<number> {
    const { blocks, bfree, bavail, bsize } = await statfs(this.#home);
    this.#diskSize = blocks * bsize;
    const used = blocks - bfree;
    return (100 * used) / (used + bavail);
  }
}

/** A container may have fewer than the machine, but CPU time is counted for all. */
export const countCores = (): number => cpus().length || availableParallelism();

/**
 * What Node calls free is, on Linux and Windows, what programs could have; on macOS it leaves out all that the system
 * would give back, so the library asks `vm_stat` there.
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
