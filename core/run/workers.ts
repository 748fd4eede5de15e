import { AppError } from '../base/errors.ts';
import { describeNoWorker, type WorkerSelector } from '../model/worker-selector.ts';

/** Other processes that take runs on which hosts of the home must not drive themselves. */
export interface Workers {
  /** Whether there is one with these labels. */
  match(selector: WorkerSelector): boolean;
}

/** An installation without workers. */
export const noWorkers: Workers = { match: () => false };

/** Why nothing that asks for such a worker can be done, and what helps. */
export const describeMissingWorker = (selector: WorkerSelector): string =>
  `${describeNoWorker(selector)}: this installation has no workers; remove workerSelector or connect a worker`;

/** Throws `no_worker` when a worker is asked for and there is none: nothing is done here instead (peer 6.4). */
export function requireWorker(workers: Workers, selector: WorkerSelector | undefined): void {
  if (selector === undefined || workers.match(selector)) return;
  throw new AppError('no_worker', describeMissingWorker(selector), {
    details: { workerSelector: { ...selector } },
  });
}
