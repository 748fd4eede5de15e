import type { WorkerSelector } from '../../model/workflow/worker-selector.ts';
import { describeMissingWorker } from '../workers.ts';
import type { DryParts } from './dry-task.ts';

/** Adds what keeps a run, or a step at the place of the findings, from having a worker: nothing is done here instead. */
export async function checkWorker(
  selector: WorkerSelector | undefined,
  { findings, workers }: Pick<DryParts, 'findings' | 'workers'>,
): Promise<void> {
  if (selector === undefined || (await workers.isSetUp())) return;
  const place = { ...findings.place, field: 'workerSelector' };
  findings.addAt(place, 'error', describeMissingWorker(selector));
}
