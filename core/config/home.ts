import { homedir } from 'node:os';
import path from 'node:path';

/** Where everything of one installation lives (DESIGN D2). All paths are absolute. */
export interface HomePaths {
  readonly home: string;
  /** Workflow files: plain YAML. */
  readonly dags: string;
  /** One folder a DAG, one below it a run. */
  readonly logs: string;
  /** What can be had again: copies of actions and their tools. May be deleted while nothing runs. */
  readonly cache: string;
  readonly database: string;
  /** What the editor keeps beside the workflow files: drafts and the places of steps. */
  readonly editor: string;
}

/** The places below a home directory. */
export function homePaths(home: string): HomePaths {
  return {
    home,
    dags: path.join(home, 'dags'),
    logs: path.join(home, 'logs'),
    cache: path.join(home, 'cache'),
    database: path.join(home, 'data', 'engine.db'),
    editor: path.join(home, 'data', 'editor'),
  };
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
