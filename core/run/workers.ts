import { describeNoWorker, type WorkerSelector } from '../model/workflow/worker-selector.ts';

/** Other processes that make attempts of steps with a worker selector. */
export interface Workers {
  /** Whether workers were ever set up in the home. */
  isSetUp(): Promise<boolean>;
}

/** Returns why no step with this selector can run in an installation without workers, and the solution. */
export const describeMissingWorker = (selector: WorkerSelector): string =>
  `${describeNoWorker(selector)}: no workers have been set up in this home. Start "engine coordinator" and "engine worker", or remove workerSelector.`;
