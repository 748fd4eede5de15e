import type { Clock } from '../../core/base/clock.ts';
import { systemClock } from './clock.ts';
import { reloadWaitsMs } from './lazy-component.ts';

/** A question to a worker. */
type WorkerQuestion<Question extends object> = Question & { readonly id: number };

/** The answer of a worker to the question with the same number. */
type WorkerAnswer<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: string };

/** A worker that answers numbered questions. */
export class RpcWorker<Question extends object, Result> {
  readonly #worker: RestartingRpcWorker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Result>>();
  #lastQuestionId = 0;

  constructor(worker: RestartingRpcWorker) {
    this.#worker = worker;
    worker.listen(
      ({ data }: MessageEvent<WorkerAnswer<Result>>) => this.#settle(data),
      (failure) => this.#rejectAll(failure),
    );
  }

  /**
   * Sends a question. Rejects with the worker's error, or when the worker itself fails. Answers arrive in
   * order.
   */
  ask(question: Question): Promise<Result> {
    this.#lastQuestionId += 1;
    const answer = Promise.withResolvers<Result>();
    this.#waiting.set(this.#lastQuestionId, answer);
    this.#worker.postMessage({ ...question, id: this.#lastQuestionId } satisfies WorkerQuestion<Question>);
    return answer.promise;
  }

  #settle(answer: WorkerAnswer<Result>): void {
    const question = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('result' in answer) question?.resolve(answer.result);
    else question?.reject(new Error(answer.failure));
  }

  /** Stops the worker; rejects the open questions. */
  dispose(): void {
    this.#worker.terminate();
    this.#rejectAll(new Error('The background worker was stopped.'));
  }

  #rejectAll(failure: Error): void {
    for (const question of this.#waiting.values()) question.reject(failure);
    this.#waiting.clear();
  }
}

/**
 * A worker that is restarted with all previous messages if its program failed to load (see lazy-component.ts for the
 * cause). After the last attempt, it starts again with the next message. Once it has sent a message its program
 * is loaded, and later failures are bugs.
 */
export class RestartingRpcWorker {
  #onMessage: ((event: MessageEvent) => void) | undefined;
  #onFailure: ((failure: Error) => void) | undefined;
  readonly #start: () => Worker;
  readonly #clock: Clock;
  /** Remaining delays, in milliseconds. */
  #waits = [...reloadWaitsMs];
  /** Messages sent before its first answer. */
  #initialMessages: unknown[] | undefined = [];
  /** Undefined after the last attempt and after its end. */
  #worker: Worker | undefined;
  #isOver = false;

  constructor(start: () => Worker, clock: Clock = systemClock) {
    this.#start = start;
    this.#clock = clock;
    this.#worker = this.#begin();
  }

  /** For the layout library, which is given a worker. */
  set onmessage(listener: (event: MessageEvent) => void) {
    this.#onMessage = listener;
  }

  /** @param onFailure called for a bug, or when the program cannot be loaded */
  listen(onMessage: (event: MessageEvent) => void, onFailure: (failure: Error) => void): void {
    this.#onMessage = onMessage;
    this.#onFailure = onFailure;
  }

  postMessage(message: unknown): void {
    this.#initialMessages?.push(message);
    if (this.#worker === undefined) {
      this.#waits = [...reloadWaitsMs];
      this.#worker = this.#begin();
    }
    this.#worker.postMessage(message);
  }

  terminate(): void {
    this.#isOver = true;
    this.#worker?.terminate();
  }

  #begin(): Worker {
    const worker = this.#start();
    worker.addEventListener('message', (event) => {
      this.#initialMessages = undefined;
      this.#onMessage?.(event);
    });
    worker.addEventListener('error', (event) => this.#fail(event));
    return worker;
  }

  #fail({ message }: ErrorEvent): void {
    if (this.#initialMessages === undefined) return this.#onFailure?.(new Error(message));
    this.#worker?.terminate();
    const wait = this.#waits.shift();
    if (wait !== undefined) return void this.#clock.after(wait, () => this.#restart());
    this.#worker = undefined;
    this.#initialMessages = [];
    this.#onFailure?.(new Error(message || 'A background worker failed to load.'));
  }

  #restart(): void {
    if (this.#isOver) return;
    this.#worker = this.#begin();
    for (const message of this.#initialMessages ?? []) this.#worker.postMessage(message);
  }
}

/** Runs in a worker: answers each question with the result of `work`. */
export function handleRequests(work: (question: never) => unknown): void {
  const answer = (question: WorkerQuestion<object>): WorkerAnswer<unknown> => {
    try {
      return { id: question.id, result: work(question as never) };
    } catch (failure) {
      return { id: question.id, failure: String(failure) };
    }
  };
  globalThis.addEventListener('message', ({ data }: MessageEvent<WorkerQuestion<object>>) => {
    globalThis.postMessage(answer(data));
  });
}
