import { homedir } from 'node:os';
import path from 'node:path';
import type { EngineConfig } from './engine-config.ts';

/** Absolute paths of one installation. */
export interface HomePaths {
  readonly home: string;
  /** The configuration file, whether or not it exists. */
  readonly configFile: string;
  /** Workflow files in YAML. */
  readonly dags: string;
  /** One folder per workflow, with one subfolder per run. */
  readonly logs: string;
  /** Database, users, tokens and keys. */
  readonly data: string;
  /** Data that can be recreated: copies of actions and their tools. May be deleted while nothing is running. */
  readonly cache: string;
  /** Database file; `databaseUrl` takes precedence. */
  readonly database: string;
  /** URL of a PostgreSQL server that is used instead of the file, including the password. */
  readonly databaseUrl?: string | undefined;
  /** URL of a bucket with the logs and artifacts of steps on workers. */
  readonly objectStoreUrl?: string | undefined;
  /** Editor data: drafts and layouts. */
  readonly editor: string;
}

/** Environment variables that move folders of an installation, in order of precedence. */
export const folderVariables = {
  dagsDir: ['ENGINE_DAGS_DIR', 'ENGINE_DAGS'],
  logDir: ['ENGINE_LOG_DIR'],
  dataDir: ['ENGINE_DATA_DIR'],
} as const;

/** Files and folders outside the home (such as `paths` of the configuration); absolute paths. */
export interface FolderOverrides {
  readonly configFile?: string | undefined;
  readonly dagsDir?: string | undefined;
  readonly logDir?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly objectStoreUrl?: string | undefined;
}

/** Returns the paths of a home, except for folders that are moved. */
export function homePaths(home: string, moved: FolderOverrides = {}): HomePaths {
  const data = moved.dataDir ?? path.join(home, 'data');
  return {
    home,
    configFile: moved.configFile ?? path.join(home, 'config.yaml'),
    dags: moved.dagsDir ?? path.join(home, 'dags'),
    logs: moved.logDir ?? path.join(home, 'logs'),
    data,
    cache: path.join(home, 'cache'),
    database: path.join(data, 'engine.db'),
    ...(moved.databaseUrl === undefined ? {} : { databaseUrl: moved.databaseUrl }),
    ...(moved.objectStoreUrl === undefined ? {} : { objectStoreUrl: moved.objectStoreUrl }),
    editor: path.join(data, 'editor'),
  };
}

/** Lists the folders of an installation outside its home, each with its name in the home. */
export function listExternalFolders(paths: HomePaths): { readonly name: string; readonly folder: string }[] {
  const usual = homePaths(paths.home);
  return (['dags', 'logs', 'data'] as const)
    .filter((name) => paths[name] !== usual[name])
    .map((name) => ({ name, folder: paths[name] }));
}

/**
 * Returns the home: the `--engine-home` flag, else `ENGINE_HOME`, else the platform's folder for application data.
 * Relative paths are resolved from the current directory.
 */
export function resolveHome(
  environment: Readonly<Record<string, string | undefined>>,
  flag?: string,
): string {
  const chosen = flag ?? environment['ENGINE_HOME'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  return platformHome(environment);
}

function platformHome(environment: Readonly<Record<string, string | undefined>>): string {
  const user = homedir();
  if (process.platform === 'darwin') return path.join(user, 'Library', 'Application Support', 'Stepwright');
  if (process.platform === 'win32')
    return path.join(environment['APPDATA'] ?? path.join(user, 'AppData', 'Roaming'), 'Stepwright');
  const data = environment['XDG_DATA_HOME'];
  return path.join(
    data !== undefined && path.isAbsolute(data) ? data : path.join(user, '.local', 'share'),
    'stepwright',
  );
}

/** Path of the base configuration. */
export interface BaseConfigLocation {
  /** Absolute path. */
  readonly file: string;
  /** Set explicitly, so that the file must exist. */
  readonly isNamed: boolean;
}

/**
 * Returns the file that the configuration names (`paths.baseConfig`, `ENGINE_BASE_CONFIG`), else `base.yaml` in the
 * home.
 * @param home absolute path
 * @param named absolute path
 */
export const findBaseConfig = (home: string, named: string | undefined): BaseConfigLocation => ({
  file: named ?? path.join(home, 'base.yaml'),
  isNamed: named !== undefined,
});

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
