import { existsSync } from 'node:fs';
import type { DryRunner } from './api/engine-api.ts';
import type { Clock } from './base/clock.ts';
import { loadEngineConfig } from './home/config/engine-config.ts';
import { findBaseConfig, type HomePaths, processEnvironment } from './home/config/home.ts';
import { DryRuns } from './run/dry/dry-runs.ts';
import { dryRun } from './api/run-requests.ts';
import { BaseFile } from './home/library/base-file.ts';
import { WorkflowLibrary } from './home/library/workflow-library.ts';
import { isSetUp } from './distributed/remote-driver.ts';
import { LazySecrets } from './store/secrets/lazy-secrets.ts';
import { LazyTasks } from './distributed/open-distributed.ts';

/**
 * Opens only what a dry run needs: the home may be missing, and stays unchanged.
 * @throws `invalid_config`
 */
export function openDryRuns(options: {
  readonly home: string;
  readonly clock: Clock;
  readonly configFile?: string;
}): DryRunner {
  const { home, clock, configFile } = options;
  const { config, paths } = loadEngineConfig({ home, environment: process.env, file: configFile });
  const base = new BaseFile(findBaseConfig(paths.home, config.paths.baseConfig), clock);
  const library = new WorkflowLibrary(paths.dags, clock, base);
  const dryRuns = new DryRuns({
    finder: library,
    clock,
    environment: processEnvironment(process.env, config),
    home: paths.home,
    workers: { isSetUp: () => hasWorkers(paths, clock) },
    logs: paths.logs,
    secretSources: new LazySecrets({ paths, config, clock, location: { environment: process.env } }).sources,
    defaultWorkingDir: config.workDir,
  });
  return (request) => dryRun(request, dryRuns, library);
}

/**
 * Whether the home has workers; only called for workflows that need them. A home without a database has none, and the
 * database is not created.
 */
async function hasWorkers(paths: HomePaths, clock: Clock): Promise<boolean> {
  if (paths.databaseUrl === undefined && !existsSync(paths.database)) return false;
  const tasks = new LazyTasks(paths, clock);
  try {
    return await isSetUp(await tasks.open());
  } finally {
    await tasks.close();
  }
}
