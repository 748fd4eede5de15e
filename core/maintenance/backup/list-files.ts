import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { listMovedFolders, type HomePaths } from '../../config/home.ts';

/** A file of the home that belongs into a backup. */
export interface HomeFile {
  /** Below the home, with forward slashes. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

/** What is no part of the home's content: the app's window state. */
const leftOut = new Set(['desktop']);

/**
 * What is content beside the database, which is copied by itself. The key of sessions is not: whoever was logged in logs
 * in again after a restore, those included who had been logged out.
 */
const besideDatabase = ['editor', 'tokens.json', 'users.json'];

/**
 * All files of a home but the database: workflows, configuration, secrets in files, whatever else lies there; logs
 * only when asked for. Links are followed, since what they lead to is what the home works with; sockets and the like
 * are left out. What lies elsewhere stands where it would be in the home. In the order of their paths.
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

interface Surroundings {
  /** The folders it lies in, as they really are: a link to one of them would lead around for ever. */
  readonly above: ReadonlySet<string>;
  /** Absolute: folders with a place of their own in the backup. */
  readonly apart: ReadonlySet<string>;
}

async function collect(entry: HomeFile, { above, apart }: Surroundings, files: HomeFile[]): Promise<void> {
  // What is gone by now, or a link to nothing.
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
