import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { hasProcessTable, type ProcessIdentity, readTag } from '../process-table.ts';
import { threadCpuMs } from './machine-probe.ts';

/** Resource usage of a process so far, as shown by `/proc`. */
interface ProcessUsage extends ProcessIdentity {
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

/** A process of an attempt. */
interface Member extends ProcessUsage {
  readonly attemptDir: string;
}

/** Cached tag of a process, which does not change after exec. */
interface CachedTag {
  readonly pidStart: string;
  readonly tag: string | undefined;
  /** Number of lookups: between fork and exec, a process has its parent's tag or none. */
  readonly reads: number;
}

/** Processes per event loop turn, about two milliseconds. */
const sliceSize = 100;
const maxTagReads = 2;

/** Linux: processes with an attempt's tag, and those in a session whose leader has it, whichever host started them. */
export class ProcTrees implements TreeReader {
  readonly #clock: Clock;
  #tags = new Map<number, CachedTag>();
  #members: ReadonlyMap<number, Member> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async read(): Promise<TreeReading> {
    const { processes, costMs } = await this.#readProcesses();
    const members = findMembers(processes, (pid) => this.#tags.get(pid)?.tag);
    const trees = measureTrees(members, this.#members);
    this.#members = members;
    return { trees, costMs };
  }

  clear(): void {
    this.#tags.clear();
    this.#members = new Map();
  }

  async #readProcesses(): Promise<{ processes: Map<number, ProcessUsage>; costMs: number }> {
    const processes = new Map<number, ProcessUsage>();
    const tags = new Map<number, CachedTag>();
    let started = threadCpuMs();
    let costMs = 0;
    const pids = listPids();
    for (const [index, pid] of pids.entries()) {
      if (index % sliceSize === sliceSize - 1) {
        costMs += threadCpuMs() - started;
        await new Promise<void>((resolve) => this.#clock.soon(resolve));
        started = threadCpuMs();
      }
      const usage = readUsage(pid);
      if (usage === undefined) continue;
      processes.set(pid, usage);
      tags.set(pid, this.#cacheTag(usage));
    }
    this.#tags = tags;
    return { processes, costMs: costMs + threadCpuMs() - started };
  }

  #cacheTag({ pid, pidStart }: ProcessUsage): CachedTag {
    const known = this.#tags.get(pid);
    const reads = known?.pidStart === pidStart ? known.reads : 0;
    if (known && reads === maxTagReads) return known;
    // A zombie has no environment.
    const tag = readTag(pid) ?? (reads > 0 ? known?.tag : undefined);
    return { pidStart, tag, reads: reads + 1 };
  }
}

/** Returns the members; a process that has cleared its environment is found by the session of its attempt. */
function findMembers(
  processes: ReadonlyMap<number, ProcessUsage>,
  getTag: (pid: number) => string | undefined,
): Map<number, Member> {
  const members = new Map<number, Member>();
  for (const usage of processes.values()) {
    const attemptDir = getTag(usage.pid) ?? getTag(usage.session);
    if (attemptDir !== undefined) members.set(usage.pid, { ...usage, attemptDir });
  }
  return members;
}

/**
 * Measures trees. The CPU time of a tree is the difference of two sums. When a parent waits for a child, it inherits
 * the child's CPU time, so the earlier sum includes ended processes, except those that no living member can have
 * waited for.
 */
export function measureTrees(
  now: ReadonlyMap<number, Member>,
  before: ReadonlyMap<number, Member>,
): Map<string, TreeUsage> {
  const trees = new Map<string, { cpuMs: number; memory: number; processes: number }>();
  for (const { attemptDir, cpuMs, memory, isZombie } of now.values()) {
    const tree = trees.get(attemptDir) ?? { cpuMs: 0, memory: 0, processes: 0 };
    trees.set(attemptDir, tree);
    tree.cpuMs += cpuMs;
    tree.memory += memory;
    if (!isZombie) tree.processes += 1;
  }
  for (const member of before.values()) {
    const tree = trees.get(member.attemptDir);
    if (tree && hasLiveAncestor(member, now, before)) tree.cpuMs -= member.cpuMs;
  }
  for (const tree of trees.values()) tree.cpuMs = Math.max(0, tree.cpuMs);
  return trees;
}

/** Whether the process, or its nearest remaining ancestor in the tree, is alive. */
function hasLiveAncestor(
  member: Member,
  now: ReadonlyMap<number, Member>,
  before: ReadonlyMap<number, Member>,
): boolean {
  const visited = new Set<number>();
  let ancestor: Member | undefined = member;
  while (ancestor && ancestor.attemptDir === member.attemptDir && !visited.has(ancestor.pid)) {
    if (now.get(ancestor.pid)?.pidStart === ancestor.pidStart) return true;
    visited.add(ancestor.pid);
    ancestor = before.get(ancestor.parent);
  }
  return false;
}

/** Usage of the living processes of an attempt. */
export interface TreeUsage {
  /**
   * CPU time in milliseconds since the last reading, including ended children that were waited for. For a new tree,
   * its total.
   */
  readonly cpuMs: number;
  /** Total resident memory in bytes. */
  readonly memory: number;
  readonly processes: number;
}

/** A reading of all attempts. */
export interface TreeReading {
  /** By absolute path of the attempt's directory. */
  readonly trees: ReadonlyMap<string, TreeUsage>;
  /** CPU time of the reading in milliseconds; if another program did the work, its duration. */
  readonly costMs: number;
}

/** Measures the processes of attempts. Linux and other systems have different implementations. */
export interface TreeReader {
  /** @param elapsedMs since the last reading */
  read(elapsedMs: number): Promise<TreeReading>;
  /** Discards all state, because there are no attempts; later processes are new. */
  clear(): void;
}
