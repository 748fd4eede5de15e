import { homedir } from 'node:os';
import path from 'node:path';

/** Where everything of one installation lies. All paths are absolute. */
export interface HomePaths {
  readonly home: string;
  /** Workflow files: plain YAML. */
  readonly dags: string;
  /** One folder a DAG, one below it a run. */
  readonly logs: string;
  /** Database, users, tokens and keys. */
  readonly data: string;
  /** What can be had again: copies of actions and their tools. May be deleted while nothing runs. */
  readonly cache: string;
  /** Its file; `databaseUrl` comes before it. */
  readonly database: string;
  /** Of a PostgreSQL server that has everything the file would have; with the password. */
  readonly databaseUrl?: string | undefined;
  /** Of a bucket that has logs and artifacts of steps on workers. */
  readonly objectStoreUrl?: string | undefined;
  /** What the editor keeps beside the workflow files: drafts and the places of steps. */
  readonly editor: string;
}

/** The variables that move folders of an installation, the first one that is set. */
export const folderVariables = {
  dagsDir: ['ENGINE_DAGS_DIR', 'ENGINE_DAGS'],
  logDir: ['ENGINE_LOG_DIR'],
  dataDir: ['ENGINE_DATA_DIR'],
} as const;

/** Folders that somebody wants elsewhere than in the home (`paths` of the configuration); absolute. */
export interface MovedFolders {
  readonly dagsDir?: string | undefined;
  readonly logDir?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly objectStoreUrl?: string | undefined;
}

/** The places of a home: below its directory, but for those that are elsewhere. */
export function homePaths(home: string, moved: MovedFolders = {}): HomePaths {
  const data = moved.dataDir ?? path.join(home, 'data');
  return {
    home,
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

/** The folders of an installation that do not lie in its home, each with what it is called there. */
export function listMovedFolders(paths: HomePaths): { readonly name: string; readonly folder: string }[] {
  const usual = homePaths(paths.home);
  return (['dags', 'logs', 'data'] as const)
    .filter((name) => paths[name] !== usual[name])
    .map((name) => ({ name, folder: paths[name] }));
}

/**
 * The home to use: the `--engine-home` flag, else `ENGINE_HOME`, else the platform's place for
 * application data. Relative paths count from the current directory.
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
