import { wait } from '../base/wait.ts';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { errorCodes } from '../base/error-codes.ts';
import { AppError } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import { formatUuidV7 } from '../base/ids.ts';
import type { AnsweredQuestion, ApprovalPort } from '../executors/executor.ts';
import type { ApprovalRecord, Question } from '../model/approval.ts';
import type { NodeId, RunEvent } from '../model/run-event.ts';
import type { ApprovalStore } from '../store/types/runs.ts';

/** How often to look for an answer without a notification, for instance after a database outage, in milliseconds. */
const pollIntervalMs = 15_000;

/**
 * Requests for approval by the steps of one run. Answers are read from the store, because any host may have
 * written them.
 */
export class ApprovalRequests {
  readonly #approvals: Pick<ApprovalStore, 'findForAttempt'>;
  readonly #clock: Clock;
  readonly #runKey: number;
  readonly #emit: (event: RunEvent) => void;
  readonly #durable: () => Promise<void>;
  readonly #waiting = new Set<AbortController>();
  /** Number of calls of `wakeAll`. */
  #wakes = 0;

  constructor(
    approvals: Pick<ApprovalStore, 'findForAttempt'>,
    clock: Clock,
    runKey: number,
    emit: (event: RunEvent) => void,
    durable: () => Promise<void>,
  ) {
    this.#approvals = approvals;
    this.#clock = clock;
    this.#runKey = runKey;
    this.#emit = emit;
    this.#durable = durable;
  }

  /** Returns the port for one attempt of a step. */
  forAttempt(node: NodeId, attempt: number): ApprovalPort {
    return { ask: (compose, signal) => this.#ask({ node, attempt }, compose, signal) };
  }

  /** Checks for answers now. */
  wakeAll(): void {
    this.#wakes += 1;
    for (const waking of [...this.#waiting]) waking.abort();
  }

  async #ask(
    attemptRef: { readonly node: NodeId; readonly attempt: number },
    compose: () => Promise<Question>,
    signal: AbortSignal,
  ): Promise<AnsweredQuestion> {
    const find = (): Promise<ApprovalRecord | undefined> =>
      this.#approvals.findForAttempt(this.#runKey, attemptRef.node, attemptRef.attempt);
    let known = await this.#untilReadable(find, signal);
    if (known === undefined) {
      const id = formatUuidV7(this.#clock.now(), randomBytes(10));
      this.#emit({ type: 'step.approval_requested', ...attemptRef, id, ...(await compose()) });
      await this.#durable();
      failPoint('question.asked');
    }
    for (;;) {
      const wakes = this.#wakes;
      known = await this.#untilReadable(find, signal);
      if (known?.answer !== undefined) return { ...known, answer: known.answer };
      // An answer may have been stored during the read.
      if (this.#wakes === wakes) await this.#sleep(signal);
    }
  }

  /** Waits while the database is unavailable; questions survive an outage. */
  async #untilReadable<Value>(read: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof AppError) || !errorCodes[error.code].retryable) throw error;
        await this.#sleep(signal);
      }
    }
  }

  /**
   * Waits until a question is answered, the poll interval has passed, or the signal is aborted. The timer keeps the
   * process alive.
   */
  async #sleep(signal: AbortSignal): Promise<void> {
    const waking = new AbortController();
    this.#waiting.add(waking);
    await wait(this.#clock, pollIntervalMs, signal, waking.signal);
    this.#waiting.delete(waking);
  }
}
