import type { JsonObject, JsonValue } from '../../base/json.ts';

/** The branch or tag of an event, by its short name. */
export interface EventRef {
  readonly kind: 'branch' | 'tag';
  readonly name: string;
}

/** Maximum number of branches of a `status` event to check; GitHub lists at most 10. */
const maxBranches = 100;

/**
 * Returns the branches and tags of an event, for filters; empty if it has none. For pull requests and merge groups,
 * the base branch, as in GitHub Actions.
 */
export function refsOf(event: string, payload: JsonObject): readonly EventRef[] {
  switch (event) {
    case 'push':
    case 'workflow_dispatch':
      return fullRef(payload['ref']);
    case 'create':
    case 'delete':
      return named(payload['ref_type'] === 'tag' ? 'tag' : 'branch', payload['ref']);
    case 'merge_group':
      return fullRef(at(payload, 'merge_group', 'base_ref'));
    case 'release':
      return named('tag', at(payload, 'release', 'tag_name'));
    case 'workflow_run':
    case 'check_suite':
      return named('branch', at(payload, event, 'head_branch'));
    case 'workflow_job':
      return named('branch', at(payload, 'workflow_job', 'head_branch'));
    case 'check_run':
      return named('branch', at(payload, 'check_run', 'check_suite', 'head_branch'));
    case 'deployment':
    case 'deployment_status':
      return named('branch', at(payload, 'deployment', 'ref'));
    case 'repository_dispatch':
      return named('branch', payload['branch']);
    case 'status': {
      const branches = payload['branches'];
      return Array.isArray(branches)
        ? branches.slice(0, maxBranches).flatMap((branch) => named('branch', at(branch, 'name')))
        : [];
    }
    default:
      return event.startsWith('pull_request')
        ? named('branch', at(payload, 'pull_request', 'base', 'ref'))
        : [];
  }
}

/** Maximum number of commits in a push to check; senders list at most 2,048. */
const maxCommits = 2048;
const maxFiles = 3000;

/** Maximum number of list entries, in which a file may occur repeatedly. */
const maxEntries = 100_000;

/**
 * Returns the files that a push changed, at most the first 3,000; undefined if the payload does not list them, such as
 * for other events and for pushes whose commits have no file lists.
 */
export function changedFiles(
  event: string,
  payload: JsonObject,
): { readonly files: ReadonlySet<string>; readonly isCut: boolean } | undefined {
  const { commits } = payload;
  if (event !== 'push' || !Array.isArray(commits)) return undefined;
  const files = new Set<string>();
  let hasLists = false;
  let entries = 0;
  for (const commit of commits.slice(0, maxCommits)) {
    for (const key of ['added', 'removed', 'modified']) {
      const list = at(commit, key);
      if (!Array.isArray(list)) continue;
      hasLists = true;
      for (const file of list) {
        entries += 1;
        if (files.size >= maxFiles || entries > maxEntries) return { files, isCut: true };
        if (typeof file === 'string') files.add(file);
      }
    }
  }
  return hasLists ? { files, isCut: commits.length > maxCommits } : undefined;
}

/** Returns the value at a path of keys; undefined if missing. */
function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = value[key];
  }
  return value;
}

const named = (kind: EventRef['kind'], name: JsonValue | undefined): readonly EventRef[] =>
  typeof name === 'string' && name !== '' ? [{ kind, name }] : [];

const prefixes = { branch: 'refs/heads/', tag: 'refs/tags/' } as const;

/** Parses a full ref; a short one is a branch. */
function fullRef(ref: JsonValue | undefined): readonly EventRef[] {
  if (typeof ref !== 'string') return [];
  for (const kind of ['branch', 'tag'] as const) {
    if (ref.startsWith(prefixes[kind])) return named(kind, ref.slice(prefixes[kind].length));
  }
  return named('branch', ref);
}
