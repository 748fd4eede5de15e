import type { EditResult } from '../../../../core/edit/edit-result.ts';
import { AskedWorker } from '../../../workers/asked-worker.ts';
import { LastingWorker } from '../../../workers/lasting-worker.ts';
import type { Inspection } from '../reading/field-state.ts';
import type { Clerk, ClerkTask } from './clerk.ts';

const startWorker = (): Worker =>
  new Worker(new URL('./clerk-worker.ts', import.meta.url), { type: 'module' });

/** Starts the worker that reads texts and computes edits. */
export function startWorkerClerk(): Clerk {
  const worker = new AskedWorker<ClerkTask, Inspection | EditResult>(new LastingWorker(startWorker));
  return {
    inspect: (text, target) => worker.ask({ text, ...target }) as Promise<Inspection>,
    edit: (text, request) => worker.ask({ text, request }) as Promise<EditResult>,
    dispose: () => worker.dispose(),
  };
}
