import { existsSync } from 'node:fs';
import path from 'node:path';
import { folderVariables, homePaths, type HomePaths } from '../config/home.ts';
import type { CommandContext } from './command-context.ts';

type ConfigContext = Pick<CommandContext, 'home' | 'environment' | 'configFile' | 'cwd'>;

/**
 * Returns the paths of the home, for commands that do not open the engine. The configuration parser is loaded only if
 * there is a configuration. Rejects with `invalid_config`.
 */
export async function findHomePaths({
  home,
  environment,
  configFile,
  cwd,
}: ConfigContext): Promise<HomePaths> {
  const isSet = (variable: string): boolean => (environment[variable] ?? '') !== '';
  const isSaid =
    configFile !== undefined ||
    [
      'ENGINE_CONFIG',
      'ENGINE_DATABASE_URL',
      'ENGINE_OBJECT_STORE_URL',
      ...Object.values(folderVariables).flat(),
    ].some(isSet) ||
    existsSync(path.join(home, 'config.yaml'));
  if (!isSaid) return homePaths(home);
  const { loadEngineConfig } = await import('../config/engine-config.ts');
  return loadEngineConfig({ home, environment, file: configFile, cwd }).paths;
}

/**
 * Returns the paths of the home for commands that change it, after completing an interrupted restore. Rejects with
 * `invalid_config`, `home_unusable` and, during a restore, `still_running`.
 */
export async function prepareHomePaths(context: ConfigContext): Promise<HomePaths> {
  const { rollbackRestore } = await import('../config/interrupted-restore.ts');
  rollbackRestore(context.home);
  return findHomePaths(context);
}
