import { untilAborted } from '../../base/wait.ts';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { formatReference, type ActionReference } from '../../model/executor-tables.ts';
import { fetchCommit, type Git, isCommit, resolveRef, type ActionServer } from './git.ts';

type RepositoryReference = Extract<ActionReference, { kind: 'repository' }>;

/** Dependencies of the action cache. */
export interface CacheTools {
  /** Absolute path of the cache, with one subfolder per server. */
  readonly root: string;
  readonly server: ActionServer;
  readonly git: Git;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  warn(message: string): void;
}

/** A cached copy of a repository at one commit. */
export interface CachedRepository {
  /** Absolute path. Read-only, because other steps use it, too. */
  readonly folder: string;
  readonly commit: string;
}

/**
 * Returns the files of an action's repository at the commit that its ref points to, and fetches them if they are not
 * in the cache. A full commit hash is never fetched again. A tag or branch is resolved each time; if the server cannot
 * be reached, the last resolved commit is used with a warning. Rejects with what is wrong and what to do.
 */
export async function findRepository(
  tools: CacheTools,
  reference: RepositoryReference,
): Promise<CachedRepository> {
  const { server, root } = tools;
  const { owner, name, ref } = reference;
  const folder = join(root, server.folder, owner, name);
  const url = server.repositoryUrl(owner, name);
  if (isCommit(ref))
    return fetchIfMissing(tools, { reference, url, folder, revision: ref, commit: ref.toLowerCase() });
  const refFile = join(folder, 'refs', encodeURIComponent(ref));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const resolved = await resolveRef(tools.git, { url, ref, cwd: folder });
  tools.signal.throwIfAborted();
  if (resolved === undefined) throw new Error(explainUnknownRef(reference, url));
  if ('fault' in resolved) return useCachedCopy(tools, { reference, url, folder, refFile }, resolved);
  const { fullName, commit } = resolved;
  const found = await fetchIfMissing(tools, { reference, url, folder, revision: fullName, commit });
  await rememberCommit(refFile, found.commit);
  return found;
}

interface CommitRequest {
  readonly reference: RepositoryReference;
  readonly url: string;
  /** Folder of the repository in the cache. */
  readonly folder: string;
  /** The ref or commit to fetch. */
  readonly revision: string;
  readonly commit: string;
}

async function fetchIfMissing(
  { git, clock, signal }: CacheTools,
  { reference, url, folder, revision, commit }: CommitRequest,
): Promise<CachedRepository> {
  const clone = join(folder, commit);
  if (await exists(clone)) return { folder: clone, commit };
  // Steps that need the same repository at the same time wait for the first fetch.
  return serialize(clone, signal, async () => {
    if (await exists(clone)) return { folder: clone, commit };
    const fetched = await fetchCommit(git, { url, revision, folder, now: clock.now() });
    signal.throwIfAborted();
    if ('fault' in fetched) throw new Error(explainFetchError(reference, url, fetched));
    return { folder: join(folder, fetched.commit), commit: fetched.commit };
  });
}

async function useCachedCopy(
  { warn }: CacheTools,
  {
    reference,
    url,
    folder,
    refFile,
  }: Pick<CommitRequest, 'reference' | 'url' | 'folder'> & { refFile: string },
  failure: { readonly fault: string; readonly isMissing: boolean },
): Promise<CachedRepository> {
  const commit = await readFile(refFile, 'utf8').catch(() => '');
  const clone = join(folder, commit.trim());
  if (!isCommit(commit.trim()) || !(await exists(clone)))
    throw new Error(explainFetchError(reference, url, failure));
  warn(`${explainFetchError(reference, url, failure)} Using the cached commit ${commit.trim()}.`);
  return { folder: clone, commit: commit.trim() };
}

async function rememberCommit(file: string, commit: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, commit);
  await rename(partial, file);
}

function explainFetchError(
  reference: RepositoryReference,
  url: string,
  { fault, isMissing }: { readonly fault: string; readonly isMissing: boolean },
): string {
  const action = formatReference(reference);
  if (isMissing)
    return `Cannot fetch the action ${action}: git was not found on PATH. Install git, or use a local action with a path that starts with "./".`;
  return `Cannot fetch the action ${action} from ${hidePassword(url)}: ${fault}.`;
}

function explainUnknownRef({ owner, name, ref }: RepositoryReference, url: string): string {
  const isShort = /^[0-9a-f]{7,39}$/i.test(ref);
  return isShort
    ? `Tag or branch "${ref}" not found in ${hidePassword(url)}. For a commit, use the full 40-digit SHA.`
    : `Tag or branch "${ref}" not found in ${hidePassword(url)}. Use an existing version of ${owner}/${name} after the "@".`;
}

/** A URL may contain credentials. */
const hidePassword = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1');

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const busy = new Map<string, Promise<unknown>>();

/**
 * Runs one task at a time per key within this process. Rejects with the signal's reason if it is aborted before the
 * task starts.
 */
async function serialize<Value>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  for (;;) {
    const before = busy.get(key);
    if (before === undefined) break;
    await untilAborted(signal, () => before);
  }
  signal.throwIfAborted();
  const next = work();
  const settled = next.catch(() => {}).then(() => void busy.delete(key));
  busy.set(key, settled);
  return next;
}
