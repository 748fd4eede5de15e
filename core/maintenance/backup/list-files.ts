import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

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
 * are left out. In the order of their paths.
 */
export async function listHomeFiles(home: string, logs: boolean): Promise<HomeFile[]> {
  const entries = await readdir(home);
  const wanted = entries.filter((name) => !leftOut.has(name) && (logs || name !== 'logs'));
  const files: HomeFile[] = [];
  for (const name of wanted
    .sort()
    .flatMap((entry) => (entry === 'data' ? besideDatabase.map(inData) : [entry])))
    await collect({ path: name, file: path.join(home, name) }, new Set(), files);
  return files;
}

const inData = (name: string): string => `data/${name}`;

/** @param above the folders it lies in, as they really are: a link to one of them would lead around for ever */
async function collect(entry: HomeFile, above: ReadonlySet<string>, files: HomeFile[]): Promise<void> {
  // What is gone by now, or a link to nothing.
  const facts = await stat(entry.file).catch(() => undefined);
  if (facts?.isFile()) files.push(entry);
  if (!facts?.isDirectory()) return;
  const place = await realpath(entry.file);
  if (above.has(place)) return;
  const within = new Set([...above, place]);
  for (const name of (await readdir(entry.file)).sort())
    await collect({ path: `${entry.path}/${name}`, file: path.join(entry.file, name) }, within, files);
}
