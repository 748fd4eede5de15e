import type { JsonObject, JsonValue } from '../base/json.ts';
import { truncate } from '../base/text.ts';
import { matchesPatterns, type NamePattern } from '../base/name-pattern.ts';
import type { Work } from '../base/pattern-automaton.ts';

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
export function getRefs(event: string, payload: JsonObject): readonly EventRef[] {
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
function changedFiles(
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

/** Name filter: only the names in `only`, or all except those in `ignore`; never both. */
export type NameFilter =
  | { readonly only: readonly NamePattern[] }
  | { readonly ignore: readonly NamePattern[] };

/** Event filter. Absent fields match everything. */
export interface EventFilter {
  /** Event names; empty for all. */
  readonly events: readonly string[];
  /** Values of `action`; empty for all. */
  readonly actions: readonly string[];
  readonly branches?: NameFilter | undefined;
  readonly tags?: NameFilter | undefined;
  /** Changed files of a push. */
  readonly paths?: NameFilter | undefined;
}

/** Yields to the event loop between the filters of a delivery. */
export interface MatchPacing extends Work {
  pause(): Promise<void>;
}

/** Pattern steps between two yields: 5 to 10 ms. */
const stepsAtOnce = 200_000;

/** Steps counted per filter in addition to its pattern steps. */
const baseFilterSteps = 1000;

async function yieldIfDue(pace: MatchPacing): Promise<void> {
  if (pace.steps < stepsAtOnce) return;
  pace.steps = 0;
  await pace.pause();
}

/**
 * Returns why an event does not match, as a sentence; undefined if it matches. As in GitHub Actions: with only `tags`,
 * no branch matches, and vice versa; paths are ignored for tags, and if the payload does not list files.
 */
export async function findMismatch(
  filter: EventFilter,
  event: string,
  payload: JsonObject,
  pace: MatchPacing,
): Promise<string | undefined> {
  pace.steps += baseFilterSteps;
  await yieldIfDue(pace);
  if (filter.events.length > 0 && !filter.events.includes(event)) {
    return `The event is \`${event}\`, not ${formatNames(filter.events)}.`;
  }
  const { action } = payload;
  if (filter.actions.length > 0 && !(typeof action === 'string' && filter.actions.includes(action))) {
    return typeof action === 'string'
      ? `The action is \`${truncate(action, 120)}\`, not ${formatNames(filter.actions)}.`
      : `The payload has no action; expected ${formatNames(filter.actions)}.`;
  }
  return findRefMismatch(filter, event, payload) ?? (await findPathMismatch(filter, event, payload, pace));
}

function findRefMismatch(filter: EventFilter, event: string, payload: JsonObject): string | undefined {
  if (filter.branches === undefined && filter.tags === undefined) return undefined;
  const refs = getRefs(event, payload);
  if (refs.length === 0) return `A \`${event}\` event has no branch or tag.`;
  const fits = refs.some(({ kind, name }) => {
    const names = kind === 'tag' ? filter.tags : filter.branches;
    return names !== undefined && matchesName(names, name);
  });
  if (fits) return undefined;
  const all = refs.map(({ kind, name }) => `The ${kind} \`${truncate(name, 120)}\``).join(', ');
  return `${all} does not match the filter.`;
}

/** Changed files by payload, computed once for all filters. */
const changes = new WeakMap<JsonObject, ReturnType<typeof changedFiles>>();

async function findPathMismatch(
  { paths }: EventFilter,
  event: string,
  payload: JsonObject,
  pace: MatchPacing,
): Promise<string | undefined> {
  if (paths === undefined || getRefs(event, payload).some(({ kind }) => kind === 'tag')) return undefined;
  if (!changes.has(payload)) changes.set(payload, changedFiles(event, payload));
  const changed = changes.get(payload);
  if (changed === undefined) return undefined;
  for (const file of changed.files) {
    if (matchesName(paths, file, pace)) return undefined;
    await yieldIfDue(pace);
  }
  const { size } = changed.files;
  return `None of the ${changed.isCut ? `first ${size}` : size} changed files matches the filter.`;
}

const matchesName = (filter: NameFilter, name: string, work?: Work): boolean =>
  'only' in filter ? matchesPatterns(filter.only, name, work) : !matchesPatterns(filter.ignore, name, work);

/** Created on demand: the first instance takes 12 ms, which would delay every start of a server. */
let either: Intl.ListFormat | undefined;

function formatNames(names: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(names.map((name) => `\`${name}\``));
}

/** Returns the value at a path of names; undefined if a part is missing or not an object. */
export function readPayloadValue(payload: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[key];
  }
  return value;
}
