import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { hasProcessTable, type ProcessIdentity } from './process-table.ts';

/** Resource usage of a process so far, as shown by `/proc`. */
export interface ProcessUsage extends ProcessIdentity {
  /** 0 when it has none. */
  readonly parent: number;
  /** Session id: the pid of the process that opened it. */
  readonly session: number;
  /** CPU time in milliseconds, including its reaped children. */
  readonly cpuMs: number;
  /** Resident memory in bytes; shared memory is counted for each process. */
  readonly memory: number;
  /** Whether it has ended but was not reaped; its CPU time counts, its memory is 0. */
  readonly isZombie: boolean;
}

/** Units of the kernel's counters. */
interface Units {
  readonly tickMs: number;
  readonly pageBytes: number;
}

/** Longer than the longest line of `/proc/<pid>/stat`: 52 numbers and a short name. */
const buffer = Buffer.alloc(2048);
let knownUnits: Units | undefined;

/** Lists the pids of all processes; empty without a process table. */
export function listPids(): number[] {
  if (!hasProcessTable) return [];
  return readdirSync('/proc').filter(startsWithDigit).map(Number);
}

const startsWithDigit = (name: string): boolean => name >= '0' && name < ':';

/** Returns undefined when there is no such process, or no process table. */
export function readUsage(pid: number): ProcessUsage | undefined {
  const text = readStat(pid);
  if (text === undefined) return undefined;
  // The program name can contain spaces and brackets, so fields are counted from the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  knownUnits ??= readUnits();
  const { tickMs, pageBytes } = knownUnits;
  // utime, stime, cutime and cstime.
  const ticks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
  return {
    pid,
    pidStart: fields[19] ?? '',
    parent: Number(fields[1]),
    session: Number(fields[3]),
    cpuMs: ticks * tickMs,
    memory: Math.max(0, Number(fields[21])) * pageBytes,
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
  };
}

/** Reads `stat` with three system calls; `readFileSync` makes twice as many, and this runs for every process. */
function readStat(pid: number): string | undefined {
  if (!hasProcessTable) return undefined;
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, null));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Keys of the auxiliary vector (getauxval(3)): page size, clock ticks per second. */
const pageKey = 6n;
const tickKey = 17n;

/**
 * Reads the units that the kernel provides to each program in its auxiliary vector; the values after `??` are those of
 * nearly all machines.
 */
function readUnits(): Units {
  const values = new Map<bigint, number>();
  try {
    const vector = readFileSync('/proc/self/auxv');
    const read = endianness() === 'LE' ? vector.readBigUInt64LE : vector.readBigUInt64BE;
    for (let at = 0; at + 16 <= vector.length; at += 16)
      values.set(read.call(vector, at), Number(read.call(vector, at + 8)));
  } catch {
    // Not readable in some sandboxes.
  }
  return { tickMs: 1000 / (values.get(tickKey) ?? 100), pageBytes: values.get(pageKey) ?? 4096 };
}
