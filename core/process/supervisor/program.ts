/**
 * The step supervisor: a separate program, started by `startSupervisor`, that communicates with its engine over
 * descriptor 3 and exits when that is closed and the last step has ended.
 */
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/system-clock.ts';
import { recordEnd } from '../exits.ts';
import { checkWorkingDirectory, explainLaunchError } from '../launch-failure.ts';
import { openOutputFiles } from '../relayed-output.ts';
import { makeNamedPipes, openChildEnd } from '../output-files.ts';
import { readPidStart } from '../process-table.ts';
import { startChild, type StartFailure, type StartLock } from '../spawn.ts';
import {
  encodeMessage,
  MessageDecoder,
  type SupervisorCommand,
  type PingCommand,
  type PipesCommand,
  type SupervisorEvent,
  type StartCommand,
} from './protocol.ts';

/** Callbacks of a supervisor. */
interface SupervisorContext {
  readonly clock: Clock;
  /** Sends a reply to the engine; does nothing when the engine is lost. */
  notify(report: SupervisorEvent): void;
  /** Called when the engine is lost and no process is running. */
  leave(): void;
}

/**
 * Starts the processes of steps for an engine, and outlives it: their ends are written to the exit journal first, and
 * then reported to the engine, if it is still connected.
 */
class Supervisor {
  readonly #context: SupervisorContext;
  readonly #waiting: Exclude<SupervisorCommand, PingCommand>[] = [];
  #running = 0;
  #isEngineGone = false;

  constructor(context: SupervisorContext) {
    this.#context = context;
  }

  take(command: SupervisorCommand): void {
    if (command.type === 'ping') return this.#context.notify({ id: 0, type: 'alive' });
    this.#waiting.push(command);
    if (this.#waiting.length === 1) this.#context.clock.soon(() => this.#executeNext());
  }

  /** Drops pending orders: they are no longer awaited, and the host that takes over decides again. */
  loseEngine(): void {
    this.#isEngineGone = true;
    this.#waiting.length = 0;
    this.#leaveWhenDone();
  }

  /** Runs one order per event-loop tick, so that ends are noticed while a thousand starts wait. */
  #executeNext(): void {
    const command = this.#waiting.shift();
    if (command === undefined) return;
    if (this.#waiting.length > 0) this.#context.clock.soon(() => this.#executeNext());
    this.#running += 1;
    void (command.type === 'start' ? this.#start(command) : this.#makePipes(command));
  }

  async #start(command: StartCommand): Promise<void> {
    const { id } = command;
    const fence: StartLock = { isPassed: command.isLockAcquired };
    const noDirectory = checkWorkingDirectory(command.cwd);
    if (noDirectory) return this.#reject(id, { failure: noDirectory, isTransient: false }, fence);
    const ends: number[] = [];
    try {
      for (const end of openEnds(command, fence)) ends.push(end);
      const { pid } = await startChild(command, ends, (end) => {
        const complete = { ...end, finishedAt: this.#context.clock.now() };
        if (!command.pipes) recordEnd(command.attemptDir, complete);
        this.#finish({ id, type: 'ended', ...complete });
      });
      this.#context.notify({ id, type: 'started', pid, pidStart: readPidStart(pid) });
    } catch (error) {
      this.#reject(id, explainLaunchError(error, command), fence);
    } finally {
      for (const end of ends) closeSync(end);
    }
  }

  #reject(id: number, error: StartFailure, { isPassed: isLockAcquired }: StartLock): void {
    this.#finish({ id, type: 'refused', ...error, isLockAcquired });
  }

  async #makePipes({ id, paths }: PipesCommand): Promise<void> {
    try {
      await makeNamedPipes(paths);
      this.#finish({ id, type: 'pipes-created' });
    } catch (error) {
      this.#finish({ id, type: 'pipes-failed', code: (error as NodeJS.ErrnoException).code });
    }
  }

  #finish(report: SupervisorEvent): void {
    this.#running -= 1;
    this.#context.notify(report);
    this.#leaveWhenDone();
  }

  #leaveWhenDone(): void {
    if (this.#isEngineGone && this.#running === 0) this.#context.leave();
  }
}

/** Yields descriptors for the child, each as soon as it is open. */
function* openEnds(
  { attemptDir, pipes }: Pick<StartCommand, 'attemptDir' | 'pipes'>,
  fence: StartLock,
): Iterable<number> {
  if (pipes) for (const path of pipes) yield openChildEnd(path);
  else yield* openOutputFiles(attemptDir, fence);
}

// Signals from the engine's terminal or service must not end the steps that outlive it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const) process.on(signal, () => {});

const engine = new Socket({ fd: 3 });
const decoder = new MessageDecoder<SupervisorCommand>();
const supervisor = new Supervisor({
  clock: systemClock,
  notify: (report) => void (engine.writable && engine.write(encodeMessage(report))),
  leave: () => process.exit(0),
});

engine.on('data', (bytes: Buffer) => {
  for (const command of decoder.decode(bytes)) supervisor.take(command);
});
// The socket then closes, which is handled too.
engine.on('error', () => {});
engine.on('close', () => supervisor.loseEngine());
engine.write(encodeMessage({ id: 0, type: 'ready' }));
