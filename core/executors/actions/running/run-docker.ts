import type { DockerRuns } from '../manifest/manifest.ts';
import type { ActionInstance } from './instance.ts';
import type { Job, PartEnd } from './job.ts';
import type { Stage } from './stage.ts';

export async function runDocker(
  _job: Job,
  instance: ActionInstance,
  _runs: DockerRuns,
  _stage: Stage,
): Promise<PartEnd> {
  return { error: `${instance.shown} runs in a container` };
}
