import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitAnswer } from './git.ts';

/** Beginning of the names of folders that are being filled. */
const partialPrefix = '.partial-';

/** After so long, nobody is filling a folder any more: its engine has died. Milliseconds. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** What to fetch, and for whom. */
export interface FetchOrder {
  readonly url: string;
  /** Full name of a ref, or a commit. */
  readonly wanted: string;
  /** Folder of the repository in the cache; each commit gets a folder in it. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A fetched commit, or what git said. */
export type Fetched = { readonly commit: string } | Extract<GitAnswer, { fault: string }>;

/**
 * Puts the files of one commit into a folder of its name, without their history. The folder appears at once and
 * complete: it is filled under another name first, so that any number of engines may do this at the same time.
 */
export async function fetchCommit(git: Git, { url, wanted, folder, now }: FetchOrder): Promise<Fetched> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder, now);
  const partial = await mkdtemp(join(folder, partialPrefix));
  try {
    const fetched = await fillFolder(git, partial, { url, wanted });
    if ('fault' in fetched) return fetched;
    await rm(join(partial, '.git'), { recursive: true, force: true });
    await moveInto(partial, join(folder, fetched.commit));
    return fetched;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function fillFolder(
  git: Git,
  folder: string,
  { url, wanted }: Pick<FetchOrder, 'url' | 'wanted'>,
): Promise<Fetched> {
  // Without templates there are no hooks of this machine in it.
  const begun = await git.run(folder, 'init', '--quiet', '--template=');
  if ('fault' in begun) return begun;
  const fetched = await fetchInto(git, folder, { url, wanted });
  if ('fault' in fetched) return fetched;
  const commit = await git.run(folder, 'rev-parse', '--verify', `${fetched.from}^{commit}`);
  if ('fault' in commit) return commit;
  const name = commit.text.trim();
  const out = await git.run(folder, '-c', 'core.autocrlf=false', 'checkout', '--quiet', '--detach', name);
  return 'fault' in out ? out : { commit: name };
}

/** One commit without its history. A server that does not give out single commits is asked for everything. */
async function fetchInto(
  git: Git,
  folder: string,
  { url, wanted }: Pick<FetchOrder, 'url' | 'wanted'>,
): Promise<{ readonly from: string } | Extract<GitAnswer, { fault: string }>> {
  const one = await git.run(folder, 'fetch', '--quiet', '--no-tags', '--depth=1', '--', url, wanted);
  if (!('fault' in one)) return { from: 'FETCH_HEAD' };
  if (wanted.startsWith('refs/') || one.isMissing) return one;
  const all = await git.run(
    folder,
    'fetch',
    '--quiet',
    '--',
    url,
    '+refs/heads/*:refs/remotes/all/*',
    '+refs/tags/*:refs/tags/*',
  );
  return 'fault' in all ? one : { from: wanted };
}

async function moveInto(partial: string, target: string): Promise<void> {
  try {
    await rename(partial, target);
  } catch (thrown) {
    // Somebody else was first, with the same files.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((thrown as NodeJS.ErrnoException).code ?? ''))
      throw thrown;
    await stat(target);
  }
}

/** What an engine that died has left. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(partialPrefix)) continue;
    const path = join(folder, name);
    const age =
      now -
      (await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now,
      ));
    if (age > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}
