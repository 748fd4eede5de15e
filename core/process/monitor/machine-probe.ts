import { statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import type * as Library from 'systeminformation';

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

/** Accumulated time of all cores since boot, in any unit. */
export interface CpuTimes {
  /** Idle, or waiting for a disk. */
  readonly idle: number;
  readonly total: number;
}

/** Measures CPU usage between two calls. */
export class CpuGauge {
  readonly #readTimes: () => CpuTimes | undefined;
  #before: CpuTimes | undefined;

  constructor(readTimes: () => CpuTimes | undefined = readCpuTimes) {
    this.#readTimes = readTimes;
  }

  /** Returns the usage since the last call in percent of all cores; undefined for the first one. */
  measure(): number | undefined {
    const before = this.#before;
    const now = this.#readTimes();
    this.#before = now;
    if (before === undefined || now === undefined) return undefined;
    const total = now.total - before.total;
    if (!(total > 0)) return undefined;
    // The I/O wait time may decrease slightly (proc(5)).
    return Math.min(100, Math.max(0, 100 * (1 - (now.idle - before.idle) / total)));
  }
}

/**
 * Reads CPU times. On Linux from `/proc/stat`, which takes a tenth of the time of `os.cpus()` and includes wait and
 * steal times.
 */
function readCpuTimes(): CpuTimes | undefined {
  if (process.platform === 'linux') {
    try {
      return parseCpuLine(readFileSync('/proc/stat', 'latin1'));
    } catch {
      // Hidden in some containers.
    }
  }
  return sumCores();
}

/**
 * Parses the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq and steal; the following
 * fields are part of the first two.
 */
export function parseCpuLine(text: string): CpuTimes | undefined {
  const times = /^cpu +([0-9 ]+)/.exec(text)?.[1]?.trim().split(/ +/).slice(0, 8).map(Number);
  if (times === undefined || times.length < 4) return undefined;
  const total = times.reduce((sum, time) => sum + time, 0);
  return { idle: times[3]! + (times[4] ?? 0), total };
}

function sumCores(): CpuTimes | undefined {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return total > 0 ? { idle, total } : undefined;
}

type SystemInformation = typeof Library;

/** Loads the library for systems other than Linux on demand, because it is large. */
export async function loadSystemInformation(): Promise<SystemInformation> {
  const loaded = (await import('systeminformation')) as SystemInformation & {
    readonly default?: SystemInformation;
  };
  return loaded.default ?? loaded;
}

/**
 * Returns the CPU time of this thread in milliseconds. Unlike elapsed time, it does not include waiting on a busy
 * machine.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
