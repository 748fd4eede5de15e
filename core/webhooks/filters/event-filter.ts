import type { JsonObject } from '../../base/json.ts';
import { truncate } from '../../base/text/truncate.ts';
import { passes, type Pattern } from '../../base/text/name-pattern.ts';
import type { Work } from '../../base/text/pattern-automaton.ts';
import { changedFiles, refsOf } from './ref-of-event.ts';

/** Name filter: only the names in `only`, or all except those in `ignore`; never both. */
export type NameFilter = { readonly only: readonly Pattern[] } | { readonly ignore: readonly Pattern[] };

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
const stepsOfFilter = 1000;

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
  pace.steps += stepsOfFilter;
  await yieldIfDue(pace);
  if (filter.events.length > 0 && !filter.events.includes(event)) {
    return `The event is \`${event}\`, not ${list(filter.events)}.`;
  }
  const { action } = payload;
  if (filter.actions.length > 0 && !(typeof action === 'string' && filter.actions.includes(action))) {
    return typeof action === 'string'
      ? `The action is \`${truncate(action, 120)}\`, not ${list(filter.actions)}.`
      : `The payload has no action; expected ${list(filter.actions)}.`;
  }
  return findRefMismatch(filter, event, payload) ?? (await findPathMismatch(filter, event, payload, pace));
}

function findRefMismatch(filter: EventFilter, event: string, payload: JsonObject): string | undefined {
  if (filter.branches === undefined && filter.tags === undefined) return undefined;
  const refs = refsOf(event, payload);
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
  if (paths === undefined || refsOf(event, payload).some(({ kind }) => kind === 'tag')) return undefined;
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
  'only' in filter ? passes(filter.only, name, work) : !passes(filter.ignore, name, work);

/** Created on demand: the first instance takes 12 ms, which would delay every start of a server. */
let either: Intl.ListFormat | undefined;

function list(names: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(names.map((name) => `\`${name}\``));
}
