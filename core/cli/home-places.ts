import { existsSync } from 'node:fs';
import path from 'node:path';
import { folderVariables, homePaths, type HomePaths } from '../config/home.ts';
import type { CommandContext } from './command-context.ts';

type PlaceContext = Pick<CommandContext, 'home' | 'environment' | 'configFile' | 'cwd'>;

/**
 * Where everything of the home lies, for commands that open no engine. What reads the configuration is loaded only
 * when there is something to read. Rejects with `invalid_config`.
 */
export async function findHomePaths({
  home,
  environment,
  configFile,
  cwd,
}: PlaceContext): Promise<HomePaths> {
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
 * The same for commands that work on the home, which is put back before when a restore was killed halfway. Rejects
 * with `invalid_config`, `home_unusable` and, during a restore, `still_running`.
 */
export async function enterHome(context: PlaceContext): Promise<HomePaths> {
  const { putBackHome } = await import('../config/interrupted-restore.ts');
  putBackHome(context.home);
  return findHomePaths(context);
}
