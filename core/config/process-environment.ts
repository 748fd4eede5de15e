import path from 'node:path';
import { resolveHome } from './home.ts';
import type { EngineConfig } from './engine-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of this process for runs: with the default shell of the configuration if no variable sets
 * one, and with absolute paths in all variables that contain paths, because steps have their own working directory.
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
