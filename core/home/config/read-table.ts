import { findNearest } from '../../base/text.ts';
import {
  type Report,
  joinPath,
  type MapEntry,
  type SourceRef,
  createReport,
  findField,
  getKeyStart,
  getText,
} from '../../spec/source.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  findEntry,
  isKey,
  type ConfigTable,
  type ConfigOverrides,
  listKeys,
  type KeyAtPath,
  type ConfigOrigin,
} from './config-key.ts';
import { listOf, wholeNumber } from './read-values.ts';

/** Alternative names and paths of keys, and messages for removed keys. */
export interface KeyHistory {
  /** Canonical key by the folded form of an alias. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Path of a key or section by an alternative path. */
  readonly moved: Readonly<Record<string, string>>;
  /** Messages for keys that are known but have no effect, by path. */
  readonly withoutEffect: Readonly<Record<string, string>>;
}

/** Dependencies of reading a file. */
export interface ReadTableContext {
  /** The whole table, which contains the others. */
  readonly root: ConfigTable;
  readonly history: KeyHistory;
  readonly report: Report;
  /** Absolute path. */
  readonly file: string;
  /** Absolute path; base of relative paths in the file. */
  readonly folder: string;
  /** Receives the values. */
  readonly explicitValues: ConfigOverrides;
}

/** Removes case, `_` and `-`, so that `snake_case` and other capitalization mean the same key. */
export const normalizeKey = (written: string): string => written.replaceAll(/[_-]/g, '').toLowerCase();

/** Reads a map of the configuration file against its table. Empty values count as absent. */
export function readTable(table: ConfigTable, source: SourceRef, reading: ReadTableContext): void {
  const { report, history } = reading;
  if (source.node.kind !== 'map') {
    const what = source.path === '' ? 'The configuration file' : `"${source.path}"`;
    report.error(source, `${what} must be a map of keys, such as "${Object.keys(table)[0]}: …".`);
    return;
  }
  for (const [written, entry] of source.node.entries) {
    const name = findKey(table, written, history);
    const path = joinPath(source.path, name ?? written);
    const removalHint = findByFoldedPath(history.withoutEffect, path);
    const target = name === undefined ? findByFoldedPath(history.moved, path) : path;
    if (removalHint !== undefined) report.warningAt(entry.keyStart, path, removalHint);
    else if (target === undefined && entry.node.kind === 'map' && hasKnownKeys(path, history))
      readTable({}, { node: entry.node, path }, reading);
    else if (target === undefined) report.errorAt(entry.keyStart, path, formatUnknownKey(written, table));
    else readEntry(target, entry, reading);
  }
}

function readEntry(path: string, { keyStart, node }: MapEntry, reading: ReadTableContext): void {
  const { root, report, file, folder, explicitValues } = reading;
  if (node.kind === 'scalar' && node.value === null) return;
  const entry = findEntry(root, path)!;
  if (!isKey(entry)) readTable(entry, { node, path }, reading);
  else if (explicitValues.has(path)) report.errorAt(keyStart, path, `Duplicate key "${path}". Remove one.`);
  else {
    const value: unknown = entry.read({ node, path }, report, folder);
    explicitValues.set(path, { value, origin: { kind: 'file', file, ...report.lines.locate(keyStart) } });
  }
}

function findKey(table: ConfigTable, written: string, { aliases }: KeyHistory): string | undefined {
  const folded = normalizeKey(written);
  const alias = Object.hasOwn(aliases, folded) ? aliases[folded] : undefined;
  return Object.keys(table).find((name) => normalizeKey(name) === folded || name === alias);
}

/** Whether an unknown section contains keys with a message. */
const hasKnownKeys = (path: string, { moved, withoutEffect }: KeyHistory): boolean =>
  Object.keys({ ...moved, ...withoutEffect }).some((known) =>
    normalizeKey(known).startsWith(`${normalizeKey(path)}.`),
  );

function findByFoldedPath(paths: Readonly<Record<string, string>>, path: string): string | undefined {
  const folded = normalizeKey(path);
  return Object.entries(paths).find(([known]) => normalizeKey(known) === folded)?.[1];
}

function formatUnknownKey(written: string, table: ConfigTable): string {
  const names = Object.keys(table);
  const near = findNearest(written, names);
  const known = names.length === 0 ? 'Remove it.' : `Known fields: ${names.join(', ')}.`;
  const hint = near === undefined ? known : `Did you mean "${near}"?`;
  return `Unknown field "${written.slice(0, 60)}". ${hint}`;
}

/** A command line flag for a key. */
export interface ConfigFlag {
  /** As typed, such as `--port`. */
  readonly name: string;
  readonly text: string;
}

/** Flags by the path of their key. */
export type ConfigFlags = Readonly<Record<string, ConfigFlag>>;

/** Values that override the file. They are parsed like the values of the file. */
export interface Overrides {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: ConfigFlags;
  /** Absolute path; base of relative paths. */
  readonly cwd: string;
}

/**
 * Applies variables, and then flags, to the values of the file.
 * @returns diagnostics
 */
export function readOverrides(
  table: ConfigTable,
  explicitValues: ConfigOverrides,
  overrides: Overrides,
): Diagnostic[] {
  const { environment, flags, cwd } = overrides;
  const setOverride = ({ path, key }: KeyAtPath, text: string, origin: ConfigOrigin & { name: string }) => {
    const report = createReport(text, `${origin.kind} ${origin.name}`);
    const node = { kind: 'scalar', start: 0, value: text, text } as const;
    explicitValues.set(path, { value: key.read({ node, path }, report, cwd), origin });
    // Variables and flags have no line.
    return report.list().map((finding) => ({ ...finding, line: 0, column: 0 }));
  };
  const fromVariables = listKeys(table).flatMap((entry) => {
    const name = entry.key.variables.find((variable) => (environment[variable] ?? '') !== '');
    return name === undefined ? [] : setOverride(entry, environment[name]!, { kind: 'variable', name });
  });
  const fromFlags = Object.entries(flags).flatMap(([path, { name, text }]) => {
    const key = findEntry(table, path);
    return key && isKey(key) ? setOverride({ path, key }, text, { kind: 'flag', name }) : [];
  });
  return [...fromVariables, ...fromFlags];
}

/** A queue with its own limit. */
export interface QueueConfig {
  readonly name: string;
  /** Maximum number of active runs in the queue, at least 1. */
  readonly maxConcurrency: number;
}

const keys = ['name', 'maxConcurrency'];

/** Renamed in 1.22. */
const oldKey = 'maxActiveRuns';

const readLimit = wholeNumber(1, 1_000_000);

const readList = listOf('[{name: etl, maxConcurrency: 2}]', (source, report, folder) => {
  const queue = readQueue(source, report, folder);
  return queue && { source, queue };
});

/** Reads `queues.config`. If several items have the same queue, the last one is used. */
export function readQueues(
  source: SourceRef,
  report: Report,
  folder: string,
): readonly QueueConfig[] | undefined {
  const items = readList(source, report, folder);
  const seen = new Set<string>();
  for (const { source: item, queue } of items ?? []) {
    if (seen.has(queue.name)) {
      const problem = `Duplicate queue "${queue.name}". The last one is used.`;
      report.warning(item, `${problem} Remove the others.`);
    }
    seen.add(queue.name);
  }
  return items?.map(({ queue }) => queue);
}

/** Reads one item of `queues.config`; returns undefined after an error. */
function readQueue(source: SourceRef, report: Report, folder: string): QueueConfig | undefined {
  if (source.node.kind !== 'map') {
    report.error(source, 'A queue must be a map, such as "{name: etl, maxConcurrency: 2}".');
    return undefined;
  }
  for (const [written, { keyStart }] of source.node.entries) {
    if (keys.includes(written) || written === oldKey) continue;
    const near = findNearest(written, keys);
    const hint = near === undefined ? `Known fields: ${keys.join(', ')}.` : `Did you mean "${near}"?`;
    report.errorAt(keyStart, source.path, `Unknown field "${written.slice(0, 60)}". ${hint}`);
  }
  const name = readName(source, report);
  const limit = findLimit(source, report);
  const maxConcurrency = limit && readLimit(limit, report, folder);
  return name === undefined || maxConcurrency === undefined ? undefined : { name, maxConcurrency };
}

function readName(source: SourceRef, report: Report): string | undefined {
  const found = findField(source, 'name');
  const name = found?.node.kind === 'scalar' ? getText(found.node).trim() : '';
  if (name !== '') return name;
  report.error(found ?? source, 'A queue requires a "name". Use the name from "queue" in the workflows.');
  return undefined;
}

function findLimit(source: SourceRef, report: Report): SourceRef | undefined {
  const limit = findField(source, 'maxConcurrency');
  const old = findField(source, oldKey);
  if (old !== undefined) {
    const remedy = limit === undefined ? 'Rename it' : 'Remove it; "maxConcurrency" is used';
    report.warningAt(
      getKeyStart(source.node, oldKey),
      old.path,
      `"maxActiveRuns" of a queue was renamed to "maxConcurrency". ${remedy}.`,
    );
  }
  const found = limit ?? old;
  if (found === undefined)
    report.error(source, 'A queue requires "maxConcurrency", the maximum number of active runs.');
  return found;
}
