import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { hasProcessTable, listProcesses, readTag, type ProcessRow } from './process-table.ts';

/** A process tree to end. */
export interface SweepTarget {
  /** The attempt's directory: the tag of all its processes. */
  readonly tag: string;
  /** Process group of the attempt's leader; absent when the group may have been reused: then only the tag counts. */
  readonly group?: number | undefined;
  readonly signal: NodeJS.Signals;
  /**
   * Whether to include processes that left the group but carry the tag. Otherwise they are left alone, as intentional
   * daemons.
   */
  readonly escapedToo: boolean;
  /** When SIGKILL is due, on the monotonic clock. May be moved forward. */
  killAt: number;
}

interface Watch {
  readonly target: SweepTarget;
  /** Processes outside the group that were already signalled. */
  readonly signalled: Set<number>;
  readonly resolve: () => void;
}

/** How long after SIGKILL to wait for an unkillable process (stuck in the kernel). */
const graceAfterKillMs = 2000;
const firstPauseMs = 5;
const maxPauseMs = 100;

/**
 * Watches process trees until they have ended, and sends SIGKILL to processes that exceed their time. One scan of the
 * process table serves all trees, so that stopping a thousand steps costs little more than stopping one.
 */
export class Sweeper {
  readonly #clock: Clock;
  readonly #watches = new Map<string, Watch>();
  #pauseMs = firstPauseMs;
  #scheduled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when all processes of the target have ended, except those that SIGKILL cannot end. Never rejects. */
  watch(target: SweepTarget): Promise<void> {
    return new Promise((resolve) => {
      this.#watches.set(target.tag, { target, signalled: new Set(), resolve });
      this.#pauseMs = firstPauseMs;
      this.#schedule(0);
    });
  }

  #schedule(delayMs: number): void {
    if (this.#scheduled || this.#watches.size === 0) return;
    this.#scheduled = true;
    this.#clock.after(delayMs, () => {
      this.#scheduled = false;
      this.#sweep();
      this.#schedule(this.#pauseMs);
    });
  }

  #sweep(): void {
    const started = this.#clock.monotonic();
    const members = this.#findMembers();
    for (const [tag, watch] of [...this.#watches]) this.#checkTarget(watch, members.get(tag) ?? []);
    // Scanning never takes more than a tenth of the time, however many processes there are.
    const elapsedMs = this.#clock.monotonic() - started;
    this.#pauseMs = Math.max(Math.min(this.#pauseMs * 1.5, maxPauseMs), elapsedMs * 10);
  }

  #checkTarget({ target, signalled, resolve }: Watch, rows: readonly ProcessRow[]): void {
    const now = this.#clock.monotonic();
    const isAlive = hasProcessTable ? rows.length > 0 : hasGroup(target);
    if (!isAlive || now > target.killAt + graceAfterKillMs) {
      this.#watches.delete(target.tag);
      resolve();
      return;
    }
    if (now >= target.killAt) {
      if (!hasProcessTable && target.group !== undefined) signalGroup(target.group, 'SIGKILL');
      for (const { pid } of rows) send(pid, 'SIGKILL');
      return;
    }
    for (const { pid, group } of rows) {
      if (group === target.group || signalled.has(pid)) continue;
      signalled.add(pid);
      send(pid, target.signal);
    }
  }

  /** Returns the live processes by the tag of their target. */
  #findMembers(): Map<string, ProcessRow[]> {
    const byGroup = new Map<number, string>();
    for (const { target } of this.#watches.values())
      if (target.group !== undefined) byGroup.set(target.group, target.tag);
    const membersByTag = new Map<string, ProcessRow[]>();
    for (const row of listProcesses()) {
      const tag = byGroup.get(row.group) ?? this.#findEscaped(row);
      if (tag === undefined) continue;
      const rows = membersByTag.get(tag);
      if (rows) rows.push(row);
      else membersByTag.set(tag, [row]);
    }
    return membersByTag;
  }

  #findEscaped({ pid }: ProcessRow): string | undefined {
    const tag = readTag(pid);
    return tag !== undefined && this.#watches.get(tag)?.target.escapedToo ? tag : undefined;
  }
}

const hasGroup = ({ group }: SweepTarget): boolean => group !== undefined && hasMembers(group);

/**
 * Signals a process group. On Windows, which has neither groups nor signals, asks the process tree to close, or
 * terminates it when the signal is SIGKILL.
 * @returns whether any process was signalled
 */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') return signalTreeOnWindows(group, signal === 'SIGKILL');
  return send(-group, signal);
}

/** Whether a group has members, including zombies. False on Windows. */
export const hasMembers = (group: number): boolean => process.platform !== 'win32' && send(-group, 0);

/** Whether a pid is in use, including by a zombie. */
export const processExists = (pid: number): boolean => send(pid, 0);

/** Signals a process, or a group as a negative number. @returns whether it existed */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to another user (sudo), or has just died (macOS).
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

function signalTreeOnWindows(pid: number, force: boolean): boolean {
  const args = ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])];
  const child = spawn('taskkill', args, { stdio: 'ignore', windowsHide: true });
  // This fails when the tree has already ended, which is the desired result.
  child.on('error', () => {});
  return true;
}

/** Signal names of this platform with their numbers. */
const numbers: Readonly<Record<string, number>> = constants.signals;

/** Parses a signal name: `SIGINT`, `INT` or `int` → `SIGINT`; undefined when this platform has no such signal. */
export function parseSignal(text: string): NodeJS.Signals | undefined {
  const upper = text.trim().toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return Object.hasOwn(numbers, name) ? (name as NodeJS.Signals) : undefined;
}
