import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Time all cores have spent since the machine started, in any unit. */
export interface CpuTimes {
  /** Doing nothing, or waiting for a disk. */
  readonly idle: number;
  readonly total: number;
}

/** How busy the cores were between two questions. */
export class CpuGauge {
  readonly #readTimes: () => CpuTimes | undefined;
  #before: CpuTimes | undefined;

  constructor(readTimes: () => CpuTimes | undefined = readCpuTimes) {
    this.#readTimes = readTimes;
  }

  /** Percent of all cores since the last call; undefined for the first one. */
  measure(): number | undefined {
    const before = this.#before;
    const now = this.#readTimes();
    this.#before = now;
    if (before === undefined || now === undefined) return undefined;
    const total = now.total - before.total;
    if (!(total > 0)) return undefined;
    // The time of waiting for disks may go back a little (proc(5)).
    return Math.min(100, Math.max(0, 100 * (1 - (now.idle - before.idle) / total)));
  }
}

/** On Linux from the kernel's own sum: a tenth of what `os.cpus()` costs, which leaves out waiting and stolen time. */
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
 * The first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq and steal; what follows is part of
 * the first two.
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
