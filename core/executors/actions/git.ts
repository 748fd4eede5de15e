import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { captureCommand } from '../../process/capture.ts';

/** Maximum output of git that is read, in bytes. The output is a list of refs or a commit. */
const answerLimit = 1024 * 1024;

/** Environment variables that would make git use a different repository. */
const strayVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
];

/** The output of git, or its error; `isMissing` if git is not installed. */
type GitResult = { readonly text: string } | { readonly fault: string; readonly isMissing: boolean };

/** Runs the installed git for one step. */
export interface Git {
  /** Runs git in a folder. Never rejects; the process is killed when the step must end. */
  run(cwd: string, ...args: readonly string[]): Promise<GitResult>;
}

/**
 * @param env variables of the step, so that the user's git configuration and credential helpers apply
 * @param tag the attempt's directory, which identifies git and its child processes
 */
export function openGit(env: Readonly<Record<string, string>>, tag: string, signal: AbortSignal): Git {
  const safeEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !strayVariables.includes(name)));
  const gitEnv = {
    // There is no terminal to answer prompts.
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...safeEnv,
    GIT_TERMINAL_PROMPT: '0',
    // Release archives contain LFS pointers instead of large files, so actions do not depend on LFS content.
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
  return {
    async run(cwd, ...args) {
      const argv = ['git', ...args];
      const { stdout, error, refused } = await captureCommand({
        argv,
        env: gitEnv,
        cwd,
        tag,
        signal,
        maxBytes: answerLimit,
      });
      if (error === undefined) return { text: stdout };
      return { fault: error, isMissing: refused === 'not_found' };
    },
  };
}

/** Prefix of folders that are being filled. */
const partialPrefix = '.partial-';

/** Milliseconds after which a partial folder counts as abandoned by an engine that died. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Describes one fetch. */
export interface FetchRequest {
  readonly url: string;
  /** Full name of a ref, or a commit hash. */
  readonly revision: string;
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
  { url, revision, folder, now }: FetchRequest,
): Promise<FetchResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeStaleFolders(folder, now);
  const partial = await mkdtemp(join(folder, partialPrefix));
  try {
    const fetched = await fillFolder(git, partial, { url, revision });
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
  { url, revision }: Pick<FetchRequest, 'url' | 'revision'>,
): Promise<FetchResult> {
  // An empty template directory keeps the machine's git hooks out of the repository.
  const started = await git.run(folder, 'init', '--quiet', '--template=');
  if ('fault' in started) return started;
  const fetched = await fetchInto(git, folder, { url, revision });
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
  { url, revision }: Pick<FetchRequest, 'url' | 'revision'>,
): Promise<{ readonly from: string } | Extract<GitResult, { fault: string }>> {
  const one = await git.run(folder, 'fetch', '--quiet', '--no-tags', '--depth=1', '--', url, revision);
  if (!('fault' in one)) return { from: 'FETCH_HEAD' };
  if (revision.startsWith('refs/') || one.isMissing) return one;
  const all = await git.run(
    folder,
    'fetch',
    '--quiet',
    '--',
    url,
    '+refs/heads/*:refs/remotes/all/*',
    '+refs/tags/*:refs/tags/*',
  );
  return 'fault' in all ? one : { from: revision };
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

/** The full name of a ref and the commit it points to. */
export interface ResolvedRef {
  readonly fullName: string;
  readonly commit: string;
}

/** Whether a ref is a full SHA-1 or SHA-256 commit hash. */
export const isCommit = (ref: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);

/**
 * Asks the server which commit a tag or branch points to. A tag takes precedence over a branch of the same name.
 * Returns undefined if neither exists.
 */
export async function resolveRef(
  git: Git,
  { url, ref, cwd }: { readonly url: string; readonly ref: string; readonly cwd: string },
): Promise<ResolvedRef | undefined | Extract<GitResult, { fault: string }>> {
  const tag = `refs/tags/${ref}`;
  const branch = `refs/heads/${ref}`;
  const result = await git.run(cwd, 'ls-remote', '--', url, tag, `${tag}^{}`, branch);
  if ('fault' in result) return result;
  const commits = new Map<string, string>();
  for (const line of result.text.split('\n')) {
    const [commit, name] = line.split('\t');
    if (commit !== undefined && name !== undefined) commits.set(name.trim(), commit);
  }
  // An annotated tag is an object of its own; `^{}` marks the commit it points to.
  const tagged = commits.get(`${tag}^{}`) ?? commits.get(tag);
  if (tagged !== undefined) return { fullName: tag, commit: tagged };
  const head = commits.get(branch);
  return head === undefined ? undefined : { fullName: branch, commit: head };
}

/** A server that hosts the repositories of actions. */
export interface ActionServer {
  /** Value of `GITHUB_SERVER_URL`, for example https://github.com. */
  readonly url: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** Readable and unique name of the server's folder in the cache. */
  readonly folder: string;
  /** Returns the URL of a repository for git. */
  repositoryUrl(owner: string, name: string): string;
}

/** Default server of actions. */
const defaultServer = 'github.com';

/**
 * Parses `githubInstance`: a host name, an https, http, ssh, git or file URL, or `user@host:` as for ssh.
 * @throws an error with a user-facing message if it is none of these
 */
export function readServer(instance: string = defaultServer): ActionServer {
  const base = instance.trim().replace(/\/+$/, '');
  if (base === '' || base.startsWith('-') || /[\s\p{Cc}]/u.test(base))
    throw new Error(
      `Invalid config.githubInstance ${JSON.stringify(instance)}. Use a host name or URL, such as https://git.example.com.`,
    );
  const isScp = /^[\w.-]+@[\w.-]+:/.test(base);
  const isUrl = /^(https?|ssh|git|file):\/\//.test(base);
  if (!isUrl && base.includes('://'))
    throw new Error(
      `Unsupported protocol in config.githubInstance ${JSON.stringify(instance)}. Use https, ssh, git or file.`,
    );
  const root = isUrl || isScp || base.startsWith('/') ? base : `https://${base}`;
  const separator = isScp && root.endsWith(':') ? '' : '/';
  return {
    ...getWebUrls(root),
    folder: nameFolder(base),
    repositoryUrl: (owner, name) => `${root}${separator}${owner}/${name}`,
  };
}

/** GitHub Enterprise Server serves its APIs below /api. */
function getWebUrls(root: string): Pick<ActionServer, 'url' | 'apiUrl' | 'graphqlUrl'> {
  const isHosted = root === `https://${defaultServer}`;
  return {
    url: root,
    apiUrl: isHosted ? 'https://api.github.com' : `${root}/api/v3`,
    graphqlUrl: isHosted ? 'https://api.github.com/graphql' : `${root}/api/graphql`,
  };
}

function nameFolder(base: string): string {
  const readable = base
    .replace(/^[a-z]+:\/\//, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  return `${readable}-${createHash('sha256').update(base).digest('hex').slice(0, 8)}`;
}
