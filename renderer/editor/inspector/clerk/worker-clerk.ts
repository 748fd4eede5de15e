import type { EditResult } from '../../../../core/edit/edit-result.ts';
import type { Inspection } from '../reading/field-state.ts';
import type { Clerk, ClerkAnswer, ClerkQuestion, ClerkTask } from './clerk.ts';

/** Starts the worker that reads texts and computes edits. */
export function startWorkerClerk(): Clerk {
  const worker = new Worker(new URL('./clerk-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, PromiseWithResolvers<Inspection | EditResult>>();
  let asked = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<ClerkAnswer>) => {
    const question = waiting.get(data.id);
    waiting.delete(data.id);
    if ('result' in data) question?.resolve(data.result);
    else question?.reject(new Error(data.failure));
  });
  worker.addEventListener('error', (event) => {
    for (const question of waiting.values()) question.reject(new Error(event.message));
    waiting.clear();
  });
  const ask = (task: ClerkTask): Promise<Inspection | EditResult> => {
    asked += 1;
    const question = Promise.withResolvers<Inspection | EditResult>();
    waiting.set(asked, question);
    worker.postMessage({ ...task, id: asked } satisfies ClerkQuestion);
    return question.promise;
  };
  return {
    inspect: (text, target) => ask({ text, ...target }) as Promise<Inspection>,
    edit: (text, request) => ask({ text, request }) as Promise<EditResult>,
    dispose: () => worker.terminate(),
  };
}
