import type { RestartingRpcWorker } from './restarting-rpc-worker.ts';

/** A question to a worker. */
export type WorkerQuestion<Question extends object> = Question & { readonly id: number };

/** The answer of a worker to the question with the same number. */
export type WorkerAnswer<Result> =
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
      (failure) => {
        for (const question of this.#waiting.values()) question.reject(failure);
        this.#waiting.clear();
      },
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

  dispose(): void {
    this.#worker.terminate();
  }
}
