import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git, GitResult } from './git.ts';

/** Prefix of folders that are being filled. */
const partialPrefix = '.partial-';

/** Milliseconds after which a partial folder counts as abandoned by an engine that died. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Describes one fetch. */
export interface FetchRequest {
  readonly url: string;
  /** Full name of a ref, or a commit hash. */
  readonly wanted: string;
  /** Folder of the repository in the cache; each commit has a subfolder. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A fetched commit, or the error of git. */
export type FetchResult = { readonly commit: string } | Extract<GitResult, { fault: string }>;

/**
 * Fetches the files of one commit, without history, into a folder named after the commit. The folder is filled under a
 * temporary name and then renamed, so that it is always complete and several engines may fetch at the same time.
 */
export async function fetchCommit(
  git: Git,
  { url, wanted, folder, now }: FetchRequest,
): Promise<FetchResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeStaleFolders(folder, now);
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
  { url, wanted }: Pick<FetchRequest, 'url' | 'wanted'>,
): Promise<FetchResult> {
  // An empty template directory keeps the machine's git hooks out of the repository.
  const started = await git.run(folder, 'init', '--quiet', '--template=');
  if ('fault' in started) return started;
  const fetched = await fetchInto(git, folder, { url, wanted });
  if ('fault' in fetched) return fetched;
  const commit = await git.run(folder, 'rev-parse', '--verify', `${fetched.from}^{commit}`);
  if ('fault' in commit) return commit;
  const name = commit.text.trim();
  const out = await git.run(folder, '-c', 'core.autocrlf=false', 'checkout', '--quiet', '--detach', name);
  return 'fault' in out ? out : { commit: name };
}

/**
 * Fetches one commit without its history. Falls back to fetching everything if the server does not serve single
 * commits.
 */
async function fetchInto(
  git: Git,
  folder: string,
  { url, wanted }: Pick<FetchRequest, 'url' | 'wanted'>,
): Promise<{ readonly from: string } | Extract<GitResult, { fault: string }>> {
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
  } catch (error) {
    // Another process has already created the folder, with the same files.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await stat(target);
  }
}

/** Deletes partial folders of engines that died. */
async function removeStaleFolders(folder: string, now: number): Promise<void> {
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
