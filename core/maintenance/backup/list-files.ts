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
const leftOut = new Set(['desktop']);

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
  const apart = new Set(moved.map(({ folder }) => folder));
  const names = new Set([...(await readdir(home)), ...moved.map(({ name }) => name)]);
  const wanted = [...names].filter((name) => !leftOut.has(name) && (logs || name !== 'logs'));
  const files: HomeFile[] = [];
  for (const name of wanted.sort()) {
    const isPlace = name === 'dags' || name === 'logs' || name === 'data';
    const entry = { path: name, file: isPlace ? paths[name] : path.join(home, name) };
    for (const each of name === 'data' ? besideDatabase.map((file) => below(entry, file)) : [entry])
      await collect(each, { above: new Set(), apart }, files);
  }
  return files;
}

const below = ({ path: above, file }: HomeFile, name: string): HomeFile => ({
  path: `${above}/${name}`,
  file: path.join(file, name),
});

interface ListContext {
  /** Real paths of the parent directories; a link to one of them would recurse forever. */
  readonly above: ReadonlySet<string>;
  /** Absolute paths of directories with their own place in the backup. */
  readonly apart: ReadonlySet<string>;
}

async function collect(entry: HomeFile, { above, apart }: ListContext, files: HomeFile[]): Promise<void> {
  // The file was deleted, or the link is broken.
  const facts = await stat(entry.file).catch(() => undefined);
  if (facts?.isFile()) files.push(entry);
  if (!facts?.isDirectory()) return;
  const place = await realpath(entry.file);
  if (above.has(place)) return;
  const within = new Set([...above, place]);
  for (const name of (await readdir(entry.file)).sort()) {
    const inner = below(entry, name);
    if (!apart.has(inner.file)) await collect(inner, { above: within, apart }, files);
  }
}
