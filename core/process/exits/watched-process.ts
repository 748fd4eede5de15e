import type { Clock } from '../../base/clock.ts';
import type { ExitWatch } from './exit-watch.ts';
import { hasMembers, signalGroup } from '../ending/kill-tree.ts';
import type { AttachRequest, LaunchedProcess, ProcessEnd } from '../launch/launcher.ts';
import {
  hasProcessTable,
  isAlive,
  listProcesses,
  readPidStart,
  readTag,
  type ProcessIdentity,
} from '../living/process-table.ts';
import type { Sweeper, SweepTarget } from '../ending/sweeper.ts';

/** What a process that somebody else started is watched and ended with. */
export interface AttachParts {
  readonly clock: Clock;
  readonly sweeper: Sweeper;
  readonly exits: ExitWatch;
}

/** See `ProcessLauncher.attach`. */
export function attachProcess(request: AttachRequest, parts: AttachParts): LaunchedProcess | undefined {
  if (!hasProcessTable) return undefined;
  const identity = identify(request);
  if (identity === undefined) return undefined;
  const exited = parts.exits.watch({ ...identity, attemptDir: request.attemptDir });
  return new WatchedProcess({ ...identity, exited }, { ...parts, request });
}

/** As recorded; a start time that was not recorded is taken from a process that carries the tag, or from none. */
function identify({ pid, pidStart, attemptDir }: AttachRequest): ProcessIdentity | undefined {
  if (pid === undefined) return findLeader(attemptDir);
  if (pidStart !== undefined && pidStart !== '') return { pid, pidStart };
  return { pid, pidStart: readTag(pid) === attemptDir ? readPidStart(pid) : noStart };
}

/** A start time that no process has. */
const noStart = '-';

/** The oldest session leader with the tag: one that made itself a daemon later carries it as well. */
export function findLeader(attemptDir: string): ProcessIdentity | undefined {
  const leaders = listProcesses().filter(({ pid, group }) => pid === group && readTag(pid) === attemptDir);
  return leaders.sort((left, right) => Number(left.pidStart) - Number(right.pidStart))[0];
}

interface Attachment extends AttachParts {
  readonly request: Pick<AttachRequest, 'attemptDir' | 'stopSignal' | 'cleanUpMs'>;
  /** Told when somebody wants it ended. */
  readonly onStop?: () => void;
  /** What is to be done when nothing of it runs any more; never rejects. */
  readonly settle?: (end: ProcessEnd) => Promise<ProcessEnd>;
}

/** A process that is known by its pid and start time alone: each signal is preceded by a look at both. */
export class WatchedProcess implements LaunchedProcess {
  readonly pid: number;
  readonly pidStart: string;
  readonly ended: Promise<ProcessEnd>;
  readonly #parts: Attachment;
  #exited = false;
  #target: SweepTarget | undefined;
  #swept: Promise<void> | undefined;

  /** @param watched `exited`: how the process itself ended; never rejects */
  constructor(
    { pid, pidStart, exited }: ProcessIdentity & { readonly exited: Promise<ProcessEnd> },
    parts: Attachment,
  ) {
    this.pid = pid;
    this.pidStart = pidStart;
    this.#parts = parts;
    this.ended = exited.then(async (end) => {
      await this.#clearUp();
      return parts.settle ? parts.settle(end) : end;
    });
  }

  stop(): void {
    if (this.#exited || this.#target) return;
    this.#parts.onStop?.();
    const { stopSignal, cleanUpMs } = this.#parts.request;
    this.#sweep(stopSignal, cleanUpMs, true);
  }

  kill(): void {
    if (!this.#exited) this.#parts.onStop?.();
    if (this.#target) {
      this.#target.killAt = this.#parts.clock.monotonic();
      if (isAlive(this)) signalGroup(this.pid, 'SIGKILL');
    } else if (!this.#exited) this.#sweep('SIGKILL', 0, true);
  }

  /** What the leader left behind in its group is ended; a member with the tag proves that the group is still its own. */
  async #clearUp(): Promise<void> {
    this.#exited = true;
    if (!this.#target && hasMembers(this.pid) && this.#isOwnGroup())
      this.#sweep('SIGTERM', this.#parts.request.cleanUpMs, false);
    await this.#swept;
  }

  #sweep(signal: NodeJS.Signals, afterMs: number, escapedToo: boolean): void {
    const { request, clock, sweeper } = this.#parts;
    const isOwnGroup = this.#isOwnGroup();
    if (isOwnGroup) signalGroup(this.pid, signal);
    const group = isOwnGroup ? this.pid : undefined;
    const killAt = clock.monotonic() + afterMs;
    this.#target = { tag: request.attemptDir, group, signal, escapedToo, killAt };
    this.#swept = sweeper.watch(this.#target);
  }

  #isOwnGroup(): boolean {
    // Without a process table, nothing is watched but what somebody tells of who is its parent.
    if (!hasProcessTable || isAlive(this)) return true;
    const { attemptDir } = this.#parts.request;
    return listProcesses().some(({ pid, group }) => group === this.pid && readTag(pid) === attemptDir);
  }
}
