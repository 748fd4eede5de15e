import type { WorkerAnswer, WorkerQuestion } from './rpc-worker.ts';

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
