import type { DryRunner } from '../api/engine-host.ts';
import type { Clock } from '../base/clock.ts';
import { loadEngineConfig } from '../config/engine-config.ts';
import { processEnvironment } from '../config/process-environment.ts';
import { DryRuns } from '../run/dry/dry-runs.ts';
import { noWorkers } from '../run/workers.ts';
import { dryRun } from './carry-out-requests.ts';
import { openFiles } from './open-files.ts';

/**
 * Opens what a dry run needs, and nothing more: the home may be missing, and stays as it is. Throws `invalid_config`.
 */
export function openDryRuns(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly configFile?: string;
}): DryRunner {
  const { home, clock, configFile } = options;
  const { config, paths } = loadEngineConfig({ home, environment: process.env, file: configFile });
  const { sources } = openFiles(paths, config, clock);
  const dryRuns = new DryRuns({
    finder: sources,
    clock,
    environment: processEnvironment(process.env, config),
    home: paths.home,
    workers: noWorkers,
    logs: paths.logs,
    defaultWorkingDir: config.workDir,
  });
  return (request) => dryRun(request, dryRuns, sources);
}
