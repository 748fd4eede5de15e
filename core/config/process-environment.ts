import path from 'node:path';
import { resolveHome } from './home.ts';
import type { EngineConfig } from './engine-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process as runs see it: the default shell of the configuration where no variable names one,
 * and every variable that names a place as an absolute path, since a step works in a
 * folder of its own.
 */
export function processEnvironment(
  environment: Environment,
  { defaultShell, workDir, paths }: Pick<EngineConfig, 'defaultShell' | 'workDir' | 'paths'>,
): Environment {
  const places: Environment = {
    ENGINE_HOME: resolveHome(environment),
    ENGINE_CONFIG: path.resolve(environment['ENGINE_CONFIG'] ?? ''),
    ENGINE_WORK_DIR: workDir,
    ENGINE_DAGS_DIR: paths.dagsDir,
    ENGINE_DAGS: paths.dagsDir,
    ENGINE_LOG_DIR: paths.logDir,
    ENGINE_DATA_DIR: paths.dataDir,
    ENGINE_BASE_CONFIG: paths.baseConfig,
  };
  const resolved = Object.entries(places).filter(([name]) => (environment[name] ?? '') !== '');
  return {
    ...environment,
    ...Object.fromEntries(resolved),
    ...(defaultShell !== undefined && { ENGINE_DEFAULT_SHELL: defaultShell }),
  };
}
