import type { WorkerSelector } from '../../model/workflow/worker-selector.ts';
import { describeMissingWorker } from '../workers.ts';
import type { DryDeps } from './dry-task.ts';

/**
 * Adds a finding when the installation has no workers that the run, or the step at the current place, needs. Nothing is
 * run locally instead.
 */
export async function checkWorker(
  selector: WorkerSelector | undefined,
  { findings, workers }: Pick<DryDeps, 'findings' | 'workers'>,
): Promise<void> {
  if (selector === undefined || (await workers.isSetUp())) return;
  const location = { ...findings.location, field: 'workerSelector' };
  findings.addAt(location, 'error', describeMissingWorker(selector));
}
