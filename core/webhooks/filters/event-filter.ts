import type { JsonObject } from '../../base/json.ts';
import { passes, type Pattern } from '../../base/text/name-pattern.ts';
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

/**
 * Why an event does not pass, as a sentence; undefined when it does. As in GitHub Actions: with `tags` alone no branch
 * passes, and the reverse; files are not looked at for tags, nor when the payload does not list them.
 */
export function findMisfit(filter: EventFilter, event: string, payload: JsonObject): string | undefined {
  if (filter.events.length > 0 && !filter.events.includes(event)) {
    return `The event is \`${event}\`, not ${list(filter.events)}.`;
  }
  const { action } = payload;
  if (filter.actions.length > 0 && !(typeof action === 'string' && filter.actions.includes(action))) {
    return typeof action === 'string'
      ? `The action is \`${action}\`, not ${list(filter.actions)}.`
      : `The payload has no action; it has to be ${list(filter.actions)}.`;
  }
  return findRefMisfit(filter, event, payload);
}

function findRefMisfit(filter: EventFilter, event: string, payload: JsonObject): string | undefined {
  const refs = refsOf(event, payload);
  if (filter.branches !== undefined || filter.tags !== undefined) {
    if (refs.length === 0) return `A \`${event}\` event is about no branch and no tag.`;
    const fits = refs.some(({ kind, name }) => {
      const names = kind === 'tag' ? filter.tags : filter.branches;
      return names !== undefined && letsThrough(names, name);
    });
    if (!fits)
      return `${refs.map(({ kind, name }) => `The ${kind} \`${name}\``).join(', ')} is not among those asked for.`;
  }
  if (filter.paths === undefined || refs.some(({ kind }) => kind === 'tag')) return undefined;
  const files = changedFiles(event, payload);
  const { paths } = filter;
  return files === undefined || files.some((file) => letsThrough(paths, file))
    ? undefined
    : `None of the ${files.length} changed files is among those asked for.`;
}

const letsThrough = (filter: NameFilter, name: string): boolean =>
  'only' in filter ? passes(filter.only, name) : !passes(filter.ignore, name);

/** Made when it is needed: the first of a process takes 12 ms, which each start of a server would wait for. */
let either: Intl.ListFormat | undefined;

function list(names: readonly string[]): string {
  either ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return either.format(names.map((name) => `\`${name}\``));
}
