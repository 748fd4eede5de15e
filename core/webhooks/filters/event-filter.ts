import type { JsonObject } from '../../base/json.ts';
import { clip } from '../../base/text/clip.ts';
import { passes, type Pattern } from '../../base/text/name-pattern.ts';
import type { Work } from '../../base/text/pattern-automaton.ts';
import { changedFiles, refsOf } from './ref-of-event.ts';

/** Names that are let through: those of `only`, or all but those of `ignore`; never both. */
export type NameFilter = { readonly only: readonly Pattern[] } | { readonly ignore: readonly Pattern[] };

/** Which events are meant. What is absent lets everything through. */
export interface EventFilter {
  /** Names of events; empty for all. */
  readonly events: readonly string[];
  /** Values of `action`; empty for all. */
  readonly actions: readonly string[];
  readonly branches?: NameFilter | undefined;
  readonly tags?: NameFilter | undefined;
  /** Files of a push. */
  readonly paths?: NameFilter | undefined;
}

/** Lets the event loop go on between the filters of one delivery. */
export interface Pace extends Work {
  pause(): Promise<void>;
}

/** Steps of patterns between two pauses: 5 to 10 ms. */
const stepsAtOnce = 200_000;

/** Steps that a filter counts for beside those of its patterns. */
const stepsOfFilter = 1000;

async function pauseWhenDue(pace: Pace): Promise<void> {
  if (pace.steps < stepsAtOnce) return;
  pace.steps = 0;
  await pace.pause();
}

/**
 * Why an event does not pass, as a sentence; undefined when it does. As in GitHub Actions: with `tags` alone no branch
 * passes, and the reverse; files are not looked at for tags, nor when the payload does not list them.
 */
export async function findMisfit(
  filter: EventFilter,
  event: string,
  payload: JsonObject,
  pace: Pace,
): Promise<string | undefined> {
  pace.steps += stepsOfFilter;
  await pauseWhenDue(pace);
  if (filter.events.length > 0 && !filter.events.includes(event)) {
    return `The event is \`${event}\`, not ${list(filter.events)}.`;
  }
  const { action } = payload;
  if (filter.actions.length > 0 && !(typeof action === 'string' && filter.actions.includes(action))) {
    return typeof action === 'string'
      ? `The action is \`${clip(action, 120)}\`, not ${list(filter.actions)}.`
      : `The payload has no action; expected ${list(filter.actions)}.`;
  }
  return findRefMisfit(filter, event, payload) ?? (await findPathMisfit(filter, event, payload, pace));
}

function findRefMisfit(filter: EventFilter, event: string, payload: JsonObject): string | undefined {
  if (filter.branches === undefined && filter.tags === undefined) return undefined;
  const refs = refsOf(event, payload);
  if (refs.length === 0) return `A \`${event}\` event has no branch or tag.`;
  const fits = refs.some(({ kind, name }) => {
    const names = kind === 'tag' ? filter.tags : filter.branches;
    return names !== undefined && letsThrough(names, name);
  });
  if (fits) return undefined;
  const all = refs.map(({ kind, name }) => `The ${kind} \`${clip(name, 120)}\``).join(', ');
  return `${all} does not match the filter.`;
}

/** What payloads have changed, found once for all the filters that look at it. */
const changes = new WeakMap<JsonObject, ReturnType<typeof changedFiles>>();

async function findPathMisfit(
  { paths }: EventFilter,
  event: string,
  payload: JsonObject,
  pace: Pace,
): Promise<string | undefined> {
  if (paths === undefined || refsOf(event, payload).some(({ kind }) => kind === 'tag')) return undefined;
  if (!changes.has(payload)) changes.set(payload, changedFiles(event, payload));
  const changed = changes.get(payload);
  if (changed === undefined) return undefined;
  for (const file of changed.files) {
    if (letsThrough(paths, file, pace)) return undefined;
    await pauseWhenDue(pace);
  }
  const { size } = changed.files;
  return `None of the ${changed.isCut ? `first ${size}` : size} changed files matches the filter.`;
}

const letsThrough = (filter: NameFilter, name: string, work?: Work): boolean =>
  'only' in filter ? passes(filter.only, name, work) : !passes(filter.ignore, name, work);

/** Made when it is needed: the first of a process takes 12 ms, which each start of a server would wait for. */
let either: Intl.ListFormat | undefined;

function list(names: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(names.map((name) => `\`${name}\``));
}
