import { describeNoWorker, type WorkerSelector } from '../model/workflow/worker-selector.ts';

/** Other processes that make attempts of steps which ask for them. */
export interface Workers {
  /** Whether anything has ever been set up for them in the home. */
  isSetUp(): Promise<boolean>;
}

/** Why nothing that asks for such a worker can be done in an installation without any, and what helps. */
export const describeMissingWorker = (selector: WorkerSelector): string =>
  `${describeNoWorker(selector)}: no workers have been set up in this home. Start "engine coordinator" and "engine worker", or remove workerSelector.`;
