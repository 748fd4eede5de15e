import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { AppError, formatFsError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { HostEnvironment } from '../../process/environment.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { type HomePaths, processEnvironment } from './home.ts';
import {
  loadEngineConfig,
  type ConfigFlags,
  type ConfigLocation,
  type EngineConfig,
  type LoadedConfig,
} from './engine-config.ts';
import { rollbackRestore } from './interrupted-restore.ts';

/**
 * Creates the folders of a home, accessible only to the user. If there is no workflow folder, copies the samples, so
 * that there is something to run; an emptied folder stays empty.
 * @throws `home_unusable`
 */
export function prepareHome(paths: HomePaths, samplesDir?: string): void {
  try {
    const firstStart = !existsSync(paths.dags);
    for (const folder of [paths.home, paths.dags, paths.logs, paths.data]) {
      makePrivateFolder(folder);
    }
    if (firstStart && samplesDir !== undefined) cpSync(samplesDir, paths.dags, { recursive: true });
  } catch (error) {
    const { path: at = paths.home } = error as NodeJS.ErrnoException;
    const what = at === paths.home ? '' : `${at}: `;
    throw new AppError('home_unusable', `Cannot use the home ${paths.home}: ${what}${formatFsError(error)}`, {
      cause: error,
    });
  }
}

/**
 * Creates a folder and its parents, accessible only to the user. Creates them one by one, because Node's `recursive`
 * loops forever if a parent exists but nothing can be created in it (ENOENT: `/proc`, the folder of an automounter).
 */
function makePrivateFolder(folder: string): void {
  if (!existsSync(folder)) {
    if (!existsSync(path.dirname(folder))) makePrivateFolder(path.dirname(folder));
    mkdirIfMissing(folder);
  }
  // By now the folder exists, or this call reports what is in its place.
  mkdirSync(folder, { recursive: true });
}

/** Another process may be creating the same folder. */
function mkdirIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

interface ReadConfigOptions {
  readonly home: string;
  /** See `ConfigLocation`; so is the next one. */
  readonly configFile?: string;
  readonly configFlags?: ConfigFlags;
  readonly logger: Logger;
  /** Called with the effective configuration before anything is logged about it. */
  readonly onConfig?: (config: EngineConfig) => void;
}

/** The configuration of a home, and of the runs of this process. */
export interface HomeConfig extends Pick<LoadedConfig, 'config' | 'paths' | 'values'> {
  readonly location: ConfigLocation;
  /** As in `processEnvironment`, until the host changes it. */
  readonly hostEnvironment: HostEnvironment;
}

/**
 * Reads the configuration of a home; first completes a restore that was killed halfway. Both may log warnings.
 * @throws `invalid_config`, and `still_running` during a restore
 */
export function readHomeConfig(
  { home, configFile, configFlags = {}, logger, onConfig }: ReadConfigOptions,
  environment: NodeJS.ProcessEnv,
): HomeConfig {
  const rolledBack = rollbackRestore(home);
  const problems = rolledBack === undefined ? [] : [rolledBack];
  try {
    const location = { home, environment, file: configFile, flags: configFlags };
    const { config, paths, values, warnings } = loadEngineConfig(location);
    onConfig?.(config);
    problems.push(...warnings.map(formatDiagnostic));
    const runEnvironment = new HostEnvironment(processEnvironment(environment, config));
    return { config, paths, values, location, hostEnvironment: runEnvironment };
  } finally {
    for (const problem of problems) logger.warn(problem);
  }
}
