import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock, Dispose } from '../../base/clock.ts';
import { timings } from '../../base/timings.ts';
import {
  encodeMessage,
  MessageDecoder,
  type SupervisorCommand,
  type PingCommand,
  type SupervisorEvent,
} from './protocol.ts';

/** Receives the replies to one order, or the loss of the supervisor. */
export interface CommandListener {
  onEvent(report: SupervisorEvent): void;
  /** Called when the supervisor is lost. */
  onDisconnect(): void;
}

/** Order types without the number that the link assigns. */
export type UnnumberedCommand = {
  [Kind in NumberedCommand['type']]: Omit<Extract<NumberedCommand, { type: Kind }>, 'id'>;
}[NumberedCommand['type']];
type NumberedCommand = Exclude<SupervisorCommand, PingCommand>;

/** Unanswered requests after which the supervisor counts as unresponsive. */
const maxUnanswered = 1;

/** Events of the supervisor itself. */
export interface LinkEvents {
  /** Called once when it is lost, after all listeners were notified. */
  onLost(): void;
  /** Called when it stops or resumes responding. */
  onSilence?(isSilent: boolean): void;
}

/** The engine's end of the channel to one supervisor. It keeps the event loop alive while orders are open. */
export class SupervisorLink {
  readonly pid: number;
  readonly #channel: SupervisorProcess['channel'];
  readonly #open = new Map<number, CommandListener>();
  readonly #events: LinkEvents;
  readonly #clock: Pick<Clock, 'after' | 'every' | 'soon'>;
  #stopPinging: Dispose | undefined;
  #unanswered = 0;
  #isSilent = false;
  #answers = 0;
  #isChallenged = false;
  #stopChallenge: Dispose = () => {};
  #wasGivenUp = false;
  #orders = 0;
  #wasReady = false;
  #isLost = false;

  constructor(
    { pid, channel }: SupervisorProcess,
    events: LinkEvents,
    clock: Pick<Clock, 'after' | 'every' | 'soon'>,
  ) {
    this.pid = pid;
    this.#channel = channel;
    this.#events = events;
    this.#clock = clock;
    const decoder = new MessageDecoder<SupervisorEvent>();
    channel.on('data', (bytes: Buffer) => {
      for (const report of decoder.decode(bytes)) this.#onMessage(report);
    });
    channel.on('close', () => this.#onLost());
  }

  /** Whether the supervisor has ever responded. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether this engine has abandoned it because it did not respond. */
  get wasGivenUp(): boolean {
    return this.#wasGivenUp;
  }

  /**
   * Sends an order. The supervisor may have been lost since the caller chose this link: the listener is then notified
   * like for a later loss.
   */
  send(command: UnnumberedCommand, listener: CommandListener): void {
    if (this.#isLost) return this.#clock.soon(() => listener.onDisconnect());
    if (this.#open.size === 0) this.#beginWaiting();
    this.#orders += 1;
    this.#open.set(this.#orders, listener);
    this.#channel.write(encodeMessage({ ...command, id: this.#orders }));
  }

  /**
   * Call this when a process is stopped: a halted supervisor would not report its end. A supervisor that does not
   * respond soon is abandoned, and its processes are then watched through the process table.
   */
  challenge(): void {
    if (this.#isLost || this.#isChallenged) return;
    this.#isChallenged = true;
    const before = this.#answers;
    this.#channel.write(encodeMessage({ type: 'ping', id: 0 }));
    this.#stopChallenge = this.#clock.after(timings.supervisorAnswer, () => {
      // Replies that arrived while this process itself was halted are read first.
      this.#clock.soon(() => {
        this.#isChallenged = false;
        if (this.#answers !== before || this.#isLost) return;
        this.#wasGivenUp = true;
        this.#channel.destroy();
      });
    });
  }

  /** Detaches the supervisor: it exits after its last step. Listeners are no longer notified. */
  close(): void {
    this.#open.clear();
    this.#isLost = true;
    this.#stopChallenge();
    this.#endWaiting();
    this.#channel.destroy();
  }

  /** Starts to ping the supervisor and to keep the event loop alive; an idle supervisor needs neither. */
  #beginWaiting(): void {
    this.#channel.ref();
    this.#stopPinging ??= this.#clock.every(timings.supervisorPing, () => this.#ping());
  }

  #endWaiting(): void {
    this.#channel.unref();
    this.#stopPinging?.();
    this.#stopPinging = undefined;
  }

  /** Counts requests instead of time, so that a halted engine counts nothing. */
  #ping(): void {
    if (!this.#wasReady) return;
    this.#unanswered += 1;
    this.#channel.write(encodeMessage({ type: 'ping', id: 0 }));
    // See `challenge`.
    this.#clock.soon(() => {
      if (this.#unanswered <= maxUnanswered || this.#isSilent) return;
      this.#isSilent = true;
      this.#events.onSilence?.(true);
    });
  }

  #onResponse(): void {
    this.#unanswered = 0;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#events.onSilence?.(false);
  }

  #onMessage(report: SupervisorEvent): void {
    this.#answers += 1;
    this.#onResponse();
    if (report.type === 'ready') this.#wasReady = true;
    const listener = this.#open.get(report.id);
    if (report.type !== 'started') this.#open.delete(report.id);
    if (this.#open.size === 0) this.#endWaiting();
    listener?.onEvent(report);
  }

  #onLost(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#stopChallenge();
    this.#endWaiting();
    this.#onResponse();
    const openCommands = [...this.#open.values()];
    this.#open.clear();
    for (const listener of openCommands) listener.onDisconnect();
    this.#events.onLost();
  }
}

/** A starting supervisor, from the engine's side. */
export interface SupervisorProcess {
  readonly pid: number;
  /** Closed by the end of the supervisor or of this engine; the supervisor then exits after its last step. */
  readonly channel: Duplex & { ref(): unknown; unref(): unknown };
}

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const programUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./program.ts', import.meta.url)
    : new URL('../supervisor/program.cjs', import.meta.url);

/**
 * Little memory and no threads of V8: each start of a process copies the page tables of the supervisor, which takes
 * most of its processor time.
 */
const nodeOptions = ['--max-semi-space-size=1', '--v8-pool-size=0', '--single-threaded-gc'];

/** Windows has no sessions for steps; there the engine starts them itself. */
export const hasSupervisor = process.platform !== 'win32';

/**
 * Starts a supervisor in a session of its own, without a terminal, connected to this process only by a channel. It does
 * not keep this process alive. Throws the system error.
 * @param program other than the default one
 */
export function startSupervisor(program: URL = programUrl()): SupervisorProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program)], {
    cwd: '/',
    // The tag of an outer step must not be passed to the supervisor of an engine that runs in that step.
    env: { PATH, LD_LIBRARY_PATH, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // Later errors close the channel.
  child.on('error', () => {});
  if (child.pid === undefined) throw new Error('the process limit of the system is reached');
  const channel = child.stdio[3] as SupervisorProcess['channel'];
  channel.on('error', () => {});
  child.unref();
  channel.unref();
  return { pid: child.pid, channel };
}

/** Starts a supervisor; returns undefined when the system does not allow it: callers retry. */
export function trySupervisor(): SupervisorProcess | undefined {
  if (!hasSupervisor) return undefined;
  try {
    return startSupervisor();
  } catch {
    return undefined;
  }
}
