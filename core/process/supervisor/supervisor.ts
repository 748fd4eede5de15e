import { closeSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { recordEnd } from '../exits/exit-record.ts';
import { checkWorkingDirectory, explainRefusal } from '../launch/launch-failure.ts';
import { openOutputFiles } from '../output/child-output.ts';
import { makeNamedPipes, openChildEnd } from '../output/pipes.ts';
import { readPidStart } from '../living/process-table.ts';
import { startChild } from '../launch/start-child.ts';
import type { Refusal, StartFence } from '../launch/start-tries.ts';
import type { Order, PingOrder, PipesOrder, Report, StartOrder } from './protocol.ts';

/** Callbacks of a supervisor. */
export interface SupervisorSurroundings {
  readonly clock: Clock;
  /** Sends a reply to the engine; does nothing when the engine is lost. */
  tell(report: Report): void;
  /** Called when the engine is lost and no process is running. */
  leave(): void;
}

/**
 * Starts the processes of steps for an engine, and outlives it: their ends are written to the exit journal first, and
 * then reported to the engine, if it is still connected.
 */
export class Supervisor {
  readonly #around: SupervisorSurroundings;
  readonly #waiting: Exclude<Order, PingOrder>[] = [];
  #running = 0;
  #isEngineGone = false;

  constructor(around: SupervisorSurroundings) {
    this.#around = around;
  }

  take(order: Order): void {
    if (order.do === 'ping') return this.#around.tell({ id: 0, tells: 'alive' });
    this.#waiting.push(order);
    if (this.#waiting.length === 1) this.#around.clock.soon(() => this.#carryOutNext());
  }

  /** Drops pending orders: they are no longer awaited, and the host that takes over decides again. */
  loseEngine(): void {
    this.#isEngineGone = true;
    this.#waiting.length = 0;
    this.#leaveWhenDone();
  }

  /** Runs one order per event-loop tick, so that ends are noticed while a thousand starts wait. */
  #carryOutNext(): void {
    const order = this.#waiting.shift();
    if (order === undefined) return;
    if (this.#waiting.length > 0) this.#around.clock.soon(() => this.#carryOutNext());
    this.#running += 1;
    void (order.do === 'start' ? this.#start(order) : this.#makePipes(order));
  }

  async #start(order: StartOrder): Promise<void> {
    const { id } = order;
    const fence: StartFence = { isPassed: order.isFencePassed };
    const noDirectory = checkWorkingDirectory(order.cwd);
    if (noDirectory) return this.#refuse(id, { failure: noDirectory, mayPass: false }, fence);
    const ends: number[] = [];
    try {
      for (const end of openEnds(order, fence)) ends.push(end);
      const { pid } = await startChild(order, ends, (end) => {
        const complete = { ...end, finishedAt: this.#around.clock.now() };
        if (!order.pipes) recordEnd(order.attemptDir, complete);
        this.#finish({ id, tells: 'ended', ...complete });
      });
      this.#around.tell({ id, tells: 'started', pid, pidStart: readPidStart(pid) });
    } catch (thrown) {
      this.#refuse(id, explainRefusal(thrown, order), fence);
    } finally {
      for (const end of ends) closeSync(end);
    }
  }

  #refuse(id: number, refusal: Refusal, { isPassed: isFencePassed }: StartFence): void {
    this.#finish({ id, tells: 'refused', ...refusal, isFencePassed });
  }

  async #makePipes({ id, paths }: PipesOrder): Promise<void> {
    try {
      await makeNamedPipes(paths);
      this.#finish({ id, tells: 'pipes made' });
    } catch (thrown) {
      this.#finish({ id, tells: 'no pipes', code: (thrown as NodeJS.ErrnoException).code });
    }
  }

  #finish(report: Report): void {
    this.#running -= 1;
    this.#around.tell(report);
    this.#leaveWhenDone();
  }

  #leaveWhenDone(): void {
    if (this.#isEngineGone && this.#running === 0) this.#around.leave();
  }
}

/** Yields descriptors for the child, each as soon as it is open. */
function* openEnds(
  { attemptDir, pipes }: Pick<StartOrder, 'attemptDir' | 'pipes'>,
  fence: StartFence,
): Iterable<number> {
  if (pipes) for (const path of pipes) yield openChildEnd(path);
  else yield* openOutputFiles(attemptDir, fence);
}
