import type { EditResult } from '../../../../core/edit/edit-result.ts';
import { RpcWorker } from '../../../workers/rpc-worker.ts';
import { RestartingRpcWorker } from '../../../workers/restarting-rpc-worker.ts';
import type { Inspection } from '../reading/field-state.ts';
import type { FormWorker, FormWorkerTask } from './form-worker.ts';

const startWorker = (): Worker =>
  new Worker(new URL('./form-worker-thread.ts', import.meta.url), { type: 'module' });

/** Starts the worker that reads texts and computes edits. */
export function startFormWorkerThread(): FormWorker {
  const worker = new RpcWorker<FormWorkerTask, Inspection | EditResult>(new RestartingRpcWorker(startWorker));
  return {
    inspect: (text, target) => worker.ask({ text, ...target }) as Promise<Inspection>,
    edit: (text, request) => worker.ask({ text, request }) as Promise<EditResult>,
    dispose: () => worker.dispose(),
  };
}
