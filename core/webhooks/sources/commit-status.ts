import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { nodeId } from './addresses.ts';
import { commitStateOf } from './conclusions.ts';
import { addressIn, localBranch, localRepository } from './repository.ts';
import type { RunInfo } from './run-info.ts';
import { shaOf } from './run-objects.ts';
import { stableId } from './stable-id.ts';

/** Returns the payload of `status`: the outcome of a run for its commit, which is its workflow source. */
export function describeStatus(run: RunInfo, at: number): JsonObject {
  const sha = shaOf(run);
  const state = commitStateOf(run.status);
  return {
    id: stableId(`status ${run.key} ${run.attempt} ${state}`),
    sha,
    name: localRepository,
    state,
    context: run.dag,
    description: run.error ?? null,
    target_url: null,
    avatar_url: null,
    branches: [{ name: localBranch, commit: { sha, url: here(`commits/${sha}`) }, protected: false }],
    commit: describeCommit(run, sha),
    created_at: toIso(run.createdAt),
    updated_at: toIso(at),
  };
}

/** Returns the commit, which is unsigned and has an unknown author. */
function describeCommit(run: RunInfo, sha: string): JsonObject {
  const writer = { name: 'ghost', email: 'ghost@stepwright.invalid', date: toIso(run.createdAt) };
  return {
    sha,
    node_id: nodeId('Commit', stableId(sha)),
    commit: {
      message: run.dag,
      author: writer,
      committer: writer,
      tree: { sha, url: here(`git/trees/${sha}`) },
      url: here(`git/commits/${sha}`),
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: here(`commits/${sha}`),
    html_url: here(`commits/${sha}`),
    comments_url: here(`commits/${sha}/comments`),
    author: null,
    committer: null,
    parents: [],
  };
}

const here = (below: string): string => addressIn(localRepository, below);
