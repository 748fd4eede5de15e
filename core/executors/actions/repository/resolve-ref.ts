import type { Git, GitResult } from './git.ts';

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
