import { readdirSync, readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import type { RunOwner } from '../model/run.ts';
import { tagVariable, type ProcessWatcher, type WatchedAttempt } from './launcher.ts';

/**
 * Identifies a process, as distinct from a later one with the same pid. `pidStart` is empty on platforms that do not
 * provide it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly pidStart: string;
}

/** A live process, as shown by `/proc`. */
export interface ProcessRow extends ProcessIdentity {
  /** Process group id. */
  readonly group: number;
}

/** Whether this platform lists processes in `/proc` (Linux). */
export const hasProcessTable = process.platform === 'linux';

/** Returns field 22 of `/proc/<pid>/stat`: clock ticks from boot to the process's start. Empty when unknown. */
export const readPidStart = (pid: number): string => readRow(pid, true)?.pidStart ?? '';

/** Whether exactly this process is alive. Without a start time to compare, no process matches. */
export function isAlive({ pid, pidStart }: ProcessIdentity): boolean {
  return pidStart !== '' && readRow(pid)?.pidStart === pidStart;
}

/**
 * Returns the state of exactly this process: a zombie has ended but was not reaped by its parent. Without a start time
 * to compare, or without a process table, any process with the pid matches.
 */
export function findState({ pid, pidStart }: ProcessIdentity): 'alive' | 'zombie' | 'gone' {
  if (!hasProcessTable || pidStart === '') return isPidTaken(pid) ? 'alive' : 'gone';
  if (readRow(pid, true)?.pidStart !== pidStart) return 'gone';
  return readRow(pid)?.pidStart === pidStart ? 'alive' : 'zombie';
}

/** Whether any process, including a zombie, has this pid. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Lists all live processes, without zombies; empty without a process table. */
export function listProcesses(): ProcessRow[] {
  if (!hasProcessTable) return [];
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const row = /^[0-9]/.test(name) ? readRow(Number(name)) : undefined;
    if (row) rows.push(row);
  }
  return rows;
}

/**
 * Returns the attempt of a process: the value of its tag variable. Undefined for processes without one, and for
 * processes whose environment this user cannot read.
 */
export function readTag(pid: number): string | undefined {
  const environment = readProcFile(pid, 'environ');
  if (environment === undefined) return undefined;
  const start = `\0${environment}`.indexOf(`\0${tagVariable}=`);
  if (start < 0) return undefined;
  const value = environment.slice(start + tagVariable.length + 1);
  return value.slice(0, value.indexOf('\0'));
}

/**
 * Reads a row of the table. The program name in the file can contain spaces and brackets, so fields are counted from
 * the last bracket.
 */
function readRow(pid: number, zombiesToo = false): ProcessRow | undefined {
  const text = readProcFile(pid, 'stat');
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (!zombiesToo && (state === 'Z' || state === 'X')) return undefined;
  return { pid, pidStart: fields[19] ?? '', group: Number(fields[2]) };
}

/** Returns undefined when the process has ended, belongs to another user, or the platform has no such file. */
function readProcFile(pid: number, file: 'stat' | 'environ'): string | undefined {
  if (!hasProcessTable) return undefined;
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Tracks which processes of a launcher are alive, for systems where the attempt of a process cannot be read. */
export class TrackedProcesses {
  readonly #living = new Set<WatchedAttempt>();

  list(): readonly WatchedAttempt[] {
    return [...this.#living];
  }

  readonly watch: ProcessWatcher = (process) => {
    this.#living.add(process);
    return () => void this.#living.delete(process);
  };
}

/** Returns this process as an owner of runs. `nowMs` is epoch milliseconds. */
export const getCurrentProcess = (nowMs: number): RunOwner => ({
  host: hostname(),
  pid: process.pid,
  pidStart: readPidStart(process.pid),
  bootId: readBootId(nowMs),
});

/**
 * Whether an earlier recorded owner has certainly ended: it ran on this machine, before a reboot or with a pid that is
 * now unused or reused. Owners on other machines are never judged.
 */
export function hasOwnerEnded(owner: RunOwner, self: RunOwner): boolean {
  if (owner.host !== self.host) return false;
  if (owner.bootId !== self.bootId) return true;
  return owner.pidStart === '' ? !isPidTaken(owner.pid) : !isAlive(owner);
}

/** Seconds; the two clocks behind the estimate drift and step a little while the machine is up. */
const estimateGrainSec = 60;

/**
 * Returns an id that changes with each boot of the machine: after that, recorded pids are meaningless. Linux provides
 * one; elsewhere it is the minute of the boot, calculated from `nowMs`.
 */
export function readBootId(nowMs: number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `boot-${Math.round((nowMs / 1000 - uptime()) / estimateGrainSec)}`;
  }
}
