import type { Clock } from '../../base/clock.ts';
import type { ExitWatch } from './exit-watch.ts';
import { hasMembers, signalGroup } from '../kill/kill-tree.ts';
import type { AttachRequest, LaunchedProcess, ExitResult } from '../launch/launcher.ts';
import {
  hasProcessTable,
  isAlive,
  listProcesses,
  readPidStart,
  readTag,
  type ProcessIdentity,
} from '../tracking/process-table.ts';
import type { Sweeper, SweepTarget } from '../kill/sweeper.ts';

/** Dependencies for watching and ending a process that another process started. */
export interface AttachDeps {
  readonly clock: Clock;
  readonly sweeper: Sweeper;
  readonly exits: ExitWatch;
}

/** See `ProcessLauncher.attach`. */
export function attachProcess(request: AttachRequest, deps: AttachDeps): LaunchedProcess | undefined {
  if (!hasProcessTable) return undefined;
  const identity = identify(request);
  if (identity === undefined) return undefined;
  const exited = deps.exits.watch({ ...identity, attemptDir: request.attemptDir });
  return new WatchedProcess({ ...identity, exited }, { ...deps, request });
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
  return leaders.sort((left, right) => Number(left.pidStart) - Number(right.pidStart))[0];
}

interface Attachment extends AttachDeps {
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

  /** @param watched `exited`: how the process itself ended; never rejects */
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
    if (!this.#target && hasMembers(this.pid) && this.#isOwnGroup())
      this.#sweep('SIGTERM', this.#attachment.request.cleanUpMs, false);
    await this.#swept;
  }

  #sweep(signal: NodeJS.Signals, afterMs: number, escapedToo: boolean): void {
    const { request, clock, sweeper } = this.#attachment;
    const isOwnGroup = this.#isOwnGroup();
    if (isOwnGroup) signalGroup(this.pid, signal);
    const group = isOwnGroup ? this.pid : undefined;
    const killAt = clock.monotonic() + afterMs;
    this.#target = { tag: request.attemptDir, group, signal, escapedToo, killAt };
    this.#swept = sweeper.watch(this.#target);
  }

  #isOwnGroup(): boolean {
    // Without a process table, only the parent can report the end.
    if (!hasProcessTable || isAlive(this)) return true;
    const { attemptDir } = this.#attachment.request;
    return listProcesses().some(({ pid, group }) => group === this.pid && readTag(pid) === attemptDir);
  }
}
