import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

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
