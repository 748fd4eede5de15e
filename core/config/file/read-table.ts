import { findNearest } from '../../base/nearest.ts';
import type { Report } from '../../spec/source/report.ts';
import { joinPath, type Place } from '../../spec/source/source-node.ts';
import { isKey, type ConfigTable } from './config-key.ts';

/** Values by path, such as `scheduler.port`; only what the file gives. */
export type GivenValues = Map<string, unknown>;

/** Keys under another word, and what became of those that have gone. */
export interface KeyHistory {
  /** Canonical key by the folded form of the other one. */
  readonly aliases: Readonly<Record<string, string>>;
  /** What to say of keys that are known and have no effect, by path. */
  readonly withoutEffect: Readonly<Record<string, string>>;
}

/** Letters and digits only, in lower case: `snake_case` and other capitals mean the same key. */
const fold = (written: string): string => written.replaceAll(/[_-]/g, '').toLowerCase();

/**
 * Reads a map of the configuration file against its table. What is left empty counts as absent.
 * @param given gets the values
 */
export function readTable(
  table: ConfigTable,
  place: Place,
  given: GivenValues,
  { report, history }: { readonly report: Report; readonly history: KeyHistory },
): void {
  if (place.node.kind !== 'map') {
    const what = place.path === '' ? 'The configuration file' : `"${place.path}"`;
    report.error(place, `${what} must be a map of keys, such as "${Object.keys(table)[0]}: …".`);
    return;
  }
  const seen = new Set<string>();
  for (const [written, { keyStart, node }] of place.node.entries) {
    const name = findKey(table, written, history);
    const path = joinPath(place.path, name ?? written);
    const gone = history.withoutEffect[path];
    const entry = name === undefined ? undefined : table[name];
    if (gone !== undefined) report.warningAt(keyStart, path, gone);
    else if (name === undefined || entry === undefined)
      report.errorAt(keyStart, path, describeUnknown(written, table));
    else if (seen.has(name)) report.errorAt(keyStart, path, `"${path}" is given twice. Remove one.`);
    else if (node.kind !== 'scalar' || node.value !== null) {
      seen.add(name);
      if (isKey(entry)) given.set(path, entry.read({ node, path }, report));
      else readTable(entry, { node, path }, given, { report, history });
    }
  }
}

function findKey(table: ConfigTable, written: string, { aliases }: KeyHistory): string | undefined {
  const folded = fold(written);
  const alias = Object.hasOwn(aliases, folded) ? aliases[folded] : undefined;
  return Object.keys(table).find((name) => fold(name) === folded || name === alias);
}

function describeUnknown(written: string, table: ConfigTable): string {
  const names = Object.keys(table);
  const near = findNearest(written, names);
  const hint = near === undefined ? `Known here: ${names.join(', ')}.` : `Did you mean "${near}"?`;
  return `The key "${written.slice(0, 60)}" is not known here. ${hint}`;
}
