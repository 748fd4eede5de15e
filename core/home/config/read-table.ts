import { findNearest } from '../../base/text.ts';
import { type Report, joinPath, type MapEntry, type SourceRef, createReport } from '../../spec/source.ts';
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
