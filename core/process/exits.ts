import { appendFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock, Dispose } from '../base/clock.ts';
import { exitJournal } from '../model/run.ts';
import type { AttemptExit } from '../model/run-event.ts';
import { hasMembers, signalGroup, type Sweeper, type SweepTarget } from './kill.ts';
import type { AttachRequest, LaunchedProcess, ExitResult } from './launcher.ts';
import {
  hasProcessTable,
  isAlive,
  listProcesses,
  readPidStart,
  readTag,
  type ProcessIdentity,
  findState,
} from './process-table.ts';

/** Dependencies for watching and ending a process that another process started. */
export interface WatchTools {
  readonly clock: Clock;
  readonly sweeper: Sweeper;
  readonly exits: ExitWatch;
}

/** See `ProcessLauncher.attach`. */
export function attachProcess(request: AttachRequest, tools: WatchTools): LaunchedProcess | undefined {
  if (!hasProcessTable) return undefined;
  const identity = identify(request);
  if (identity === undefined) return undefined;
  const exited = tools.exits.watch({ ...identity, attemptDir: request.attemptDir });
  return new WatchedProcess({ ...identity, exited }, { ...tools, request });
}

/**
 * Returns the recorded identity; a start time that was not recorded is read from a process with the tag, if there is
 * one.
 */
function identify({ pid, pidStart, attemptDir }: AttachRequest): ProcessIdentity | undefined {
  if (pid === undefined) return findLeader(attemptDir);
  if (pidStart !== undefined && pidStart !== '') return { pid, pidStart };
  return { pid, pidStart: readTag(pid) === attemptDir ? readPidStart(pid) : noStart };
}

/** A start time that matches no process. */
const noStart = '-';

/** Returns the oldest session leader with the tag: a child that daemonized itself later carries the tag too. */
export function findLeader(attemptDir: string): ProcessIdentity | undefined {
  const leaders = listProcesses().filter(({ pid, group }) => pid === group && readTag(pid) === attemptDir);
  return leaders.sort((a, b) => Number(a.pidStart) - Number(b.pidStart))[0];
}

interface Attachment extends WatchTools {
  readonly request: Pick<AttachRequest, 'attemptDir' | 'stopSignal' | 'cleanUpMs'>;
  /** Called when the process is asked to end. */
  readonly onStop?: () => void;
  /** Called when all of its processes have ended; never rejects. */
  readonly settle?: (result: ExitResult) => Promise<ExitResult>;
}

/** A process that is identified by its pid and start time: both are checked before each signal. */
export class WatchedProcess implements LaunchedProcess {
  readonly pid: number;
  readonly pidStart: string;
  readonly ended: Promise<ExitResult>;
  readonly #attachment: Attachment;
  #exited = false;
  #target: SweepTarget | undefined;
  #swept: Promise<void> | undefined;

  /** @param process `exited`: how the process itself ended; never rejects */
  constructor(
    { pid, pidStart, exited }: ProcessIdentity & { readonly exited: Promise<ExitResult> },
    attachment: Attachment,
  ) {
    this.pid = pid;
    this.pidStart = pidStart;
    this.#attachment = attachment;
    this.ended = exited.then(async (end) => {
      await this.#cleanUp();
      return attachment.settle ? attachment.settle(end) : end;
    });
  }

  stop(): void {
    if (this.#exited || this.#target) return;
    this.#attachment.onStop?.();
    const { stopSignal, cleanUpMs } = this.#attachment.request;
    this.#sweep(stopSignal, cleanUpMs, true);
  }

  kill(): void {
    if (!this.#exited) this.#attachment.onStop?.();
    if (this.#target) {
      this.#target.killAt = this.#attachment.clock.monotonic();
      if (isAlive(this)) signalGroup(this.pid, 'SIGKILL');
    } else if (!this.#exited) this.#sweep('SIGKILL', 0, true);
  }

  /**
   * Ends the processes that the leader left in its group; a member with the tag proves that the group was not reused.
   */
  async #cleanUp(): Promise<void> {
    this.#exited = true;
    if (!this.#target && hasMembers(this.pid) && this.#isSameGroup())
      this.#sweep('SIGTERM', this.#attachment.request.cleanUpMs, false);
    await this.#swept;
  }

  #sweep(signal: NodeJS.Signals, afterMs: number, escapedToo: boolean): void {
    const { request, clock, sweeper } = this.#attachment;
    const isSameGroup = this.#isSameGroup();
    if (isSameGroup) signalGroup(this.pid, signal);
    const group = isSameGroup ? this.pid : undefined;
    const killAt = clock.monotonic() + afterMs;
    this.#target = { tag: request.attemptDir, group, signal, escapedToo, killAt };
    this.#swept = sweeper.watch(this.#target);
  }

  #isSameGroup(): boolean {
    // Without a process table, only the parent can report the end.
    if (!hasProcessTable || isAlive(this)) return true;
    const { attemptDir } = this.#attachment.request;
    return listProcesses().some(({ pid, group }) => group === this.pid && readTag(pid) === attemptDir);
  }
}

/** A process that is not a child of this one. */
export interface WatchedIdentity extends ProcessIdentity {
  /** The attempt whose exit record contains its end. */
  readonly attemptDir: string;
}

interface Watch {
  readonly identity: WatchedIdentity;
  readonly resolve: (result: ExitResult) => void;
  /** When it was first seen to be dead, on the monotonic clock. */
  endedAt?: number;
}

const pauseMs = 100;

/**
 * How long to wait for an exit record after a process has disappeared, or became a zombie that its parent does not
 * reap.
 */
const timeoutMs = { gone: 1000, zombie: 10_000 } as const;

/**
 * Detects the end of processes that are not children of this one, from the process table and the exit journal. One scan
 * serves all of them.
 */
export class ExitWatch {
  readonly #clock: Clock;
  readonly #watches = new Set<Watch>();
  #dispose: Dispose | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the exit record, or with `lost` when none can be expected. Never rejects. */
  watch(identity: WatchedIdentity): Promise<ExitResult> {
    return new Promise((resolve) => {
      this.#watches.add({ identity, resolve });
      this.#dispose ??= this.#clock.after(0, () => this.#poll());
    });
  }

  /** Stops watching; pending promises never resolve. */
  close(): void {
    this.#watches.clear();
    this.#dispose?.();
    this.#dispose = undefined;
  }

  #poll(): void {
    for (const watch of this.#watches) {
      const end = this.#findEnd(watch);
      if (end === undefined) continue;
      this.#watches.delete(watch);
      watch.resolve(end);
    }
    this.#dispose = this.#watches.size > 0 ? this.#clock.after(pauseMs, () => this.#poll()) : undefined;
  }

  #findEnd(watch: Watch): ExitResult | undefined {
    const state = findState(watch.identity);
    if (state === 'alive') return undefined;
    const record = readRecord(watch.identity.attemptDir);
    if (record) return record;
    watch.endedAt ??= this.#clock.monotonic();
    const isExpired = this.#clock.monotonic() - watch.endedAt > timeoutMs[state];
    return isExpired ? { lost: true, finishedAt: this.#clock.now() } : undefined;
  }
}

/** Returns the end from an attempt's exit record. */
function readRecord(attemptDir: string): ExitResult | undefined {
  try {
    const record = readExitRecord(attemptDir);
    if (record === undefined) return undefined;
    const { error, ...end } = record;
    return error === undefined ? end : { ...end, outputError: error };
  } catch {
    // An unreadable journal counts as empty.
    return undefined;
  }
}

/** How an attempt ended, for readers after the engine that saw it has ended. */
export interface ExitRecord extends AttemptExit {
  /** Epoch milliseconds. */
  readonly finishedAt: number;
}

/**
 * Appends an attempt's end to the journal next to its directory: one append costs a hundredth of a separate file. It
 * survives the death of every process; it is not synced, because after a power failure its processes have ended too.
 * Throws file system errors.
 */
export function writeExitRecord(attemptDir: string, record: ExitRecord): void {
  // The line break comes first, so that a line truncated by a full disk does not corrupt the next one.
  const line = `\n${JSON.stringify({ dir: basename(attemptDir), ...record })}`;
  appendFileSync(join(dirname(attemptDir), exitJournal), line, { mode: 0o600 });
}

/** Writes the record of a known end, if possible. */
export function recordEnd(attemptDir: string, { outputError, lost, ...end }: ExitResult): void {
  if (lost) return;
  try {
    writeExitRecord(attemptDir, outputError === undefined ? end : { ...end, error: outputError });
  } catch {
    // A full disk or a deleted log directory must not prevent the engine from learning how the step ended.
  }
}

/** Returns the record of an ended attempt; undefined when it has none, or a truncated one. */
export const readExitRecord = (attemptDir: string): ExitRecord | undefined =>
  readExitJournal(dirname(attemptDir)).get(basename(attemptDir));

/** Returns all records of a run by the name of the attempt's directory; the last one counts. */
export function readExitJournal(runDir: string): Map<string, ExitRecord> {
  const records = new Map<string, ExitRecord>();
  for (const line of readOptionalFile(join(runDir, exitJournal)).split('\n')) {
    const entry = parseEntry(line);
    if (entry) records.set(entry.dir, entry.record);
  }
  return records;
}

function parseEntry(line: string): { dir: string; record: ExitRecord } | undefined {
  try {
    const { dir, ...record } = JSON.parse(line) as Partial<Record<keyof ExitRecord | 'dir', unknown>>;
    return typeof dir === 'string' && isExitRecord(record) ? { dir, record } : undefined;
  } catch {
    return undefined;
  }
}

function isExitRecord(record: Partial<Record<keyof ExitRecord, unknown>>): record is ExitRecord {
  return (
    typeof record.finishedAt === 'number' &&
    (record.exitCode === undefined || Number.isInteger(record.exitCode)) &&
    (record.signal === undefined || typeof record.signal === 'string') &&
    (record.error === undefined || typeof record.error === 'string')
  );
}

/** Returns the content of a file, empty when it does not exist. Throws other system errors. */
export function readOptionalFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
