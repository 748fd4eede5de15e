import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { listMovedFolders, type HomePaths } from '../../config/home.ts';

/** A file of the home to back up. */
export interface HomeFile {
  /** Relative to the home, with forward slashes. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

/** Excluded: the window state of the app. */
const excludedNames = new Set(['desktop']);

/**
 * Data files outside the database, which is copied separately. The session key is excluded: after a restore users log
 * in again, including those who had been logged out.
 */
const besideDatabase = ['editor', 'tokens.json', 'users.json'];

/**
 * Lists all files of a home except the database: workflows, configuration, secret files and all others; logs only on
 * request. Links are followed, because their targets are what the home uses; sockets and the like are skipped.
 * Directories that are configured elsewhere get their default path. Sorted by path.
 */
export async function listHomeFiles(paths: HomePaths, logs: boolean): Promise<HomeFile[]> {
  const { home } = paths;
  const moved = listMovedFolders(paths);
  const excludedPaths = new Set(moved.map(({ folder }) => folder));
  const names = new Set([...(await readdir(home)), ...moved.map(({ name }) => name)]);
  const included = [...names].filter((name) => !excludedNames.has(name) && (logs || name !== 'logs'));
  const files: HomeFile[] = [];
  for (const name of included.sort()) {
    const isHomeFolder = name === 'dags' || name === 'logs' || name === 'data';
    const entry = { path: name, file: isHomeFolder ? paths[name] : path.join(home, name) };
    for (const homeFile of name === 'data' ? besideDatabase.map((file) => childOf(entry, file)) : [entry])
      await collect(homeFile, { ancestors: new Set(), excludedPaths }, files);
  }
  return files;
}

const childOf = ({ path: ancestors, file }: HomeFile, name: string): HomeFile => ({
  path: `${ancestors}/${name}`,
  file: path.join(file, name),
});

interface ListContext {
  /** Real paths of the parent directories; a link to one of them would recurse forever. */
  readonly ancestors: ReadonlySet<string>;
  /** Absolute paths of directories with their own place in the backup. */
  readonly excludedPaths: ReadonlySet<string>;
}

async function collect(
  entry: HomeFile,
  { ancestors, excludedPaths }: ListContext,
  files: HomeFile[],
): Promise<void> {
  // The file was deleted, or the link is broken.
  const stats = await stat(entry.file).catch(() => undefined);
  if (stats?.isFile()) files.push(entry);
  if (!stats?.isDirectory()) return;
  const realFile = await realpath(entry.file);
  if (ancestors.has(realFile)) return;
  const visited = new Set([...ancestors, realFile]);
  for (const name of (await readdir(entry.file)).sort()) {
    const inner = childOf(entry, name);
    if (!excludedPaths.has(inner.file)) await collect(inner, { ancestors: visited, excludedPaths }, files);
  }
}
