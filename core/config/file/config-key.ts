import type { Report } from '../../spec/source/report.ts';
import type { Place } from '../../spec/source/source-node.ts';

/**
 * Reads a value where it stands; undefined after an error, which `report` has then.
 * @param folder absolute; relative paths count from it
 */
export type ReadValue<Value> = (place: Place, report: Report, folder: string) => Value | undefined;

/** One key of the configuration file. */
export interface ConfigKey<Value> {
  readonly read: ReadValue<Value>;
  /** What counts when nobody says anything. */
  readonly fallback: Value;
  /** Environment variables that win over the file, the first one that is set; an empty one counts as unset. */
  readonly variables: readonly string[];
  /** Never shown, and its variables reach no step. */
  readonly isSecret?: true;
}

/** Keys, and sections of keys, by name. */
export interface ConfigTable {
  readonly [key: string]: ConfigKey<unknown> | ConfigTable;
}

/** What a table of keys is read to: every key has a value. */
export type ConfigValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends ConfigKey<infer Value> ? Value : ConfigValues<Table[Key]>;
};

export function key<Value>(
  read: ReadValue<Value>,
  fallback: Value,
  ...variables: readonly string[]
): ConfigKey<Value> {
  return { read, fallback, variables };
}

/** A key that may be left out, and whose value nobody is shown. */
export function secretKey<Value>(
  read: ReadValue<Value>,
  ...variables: readonly string[]
): ConfigKey<Value | undefined> {
  return { read, fallback: undefined, variables, isSecret: true };
}

/** A key that may be left out. */
export function optionalKey<Value>(
  read: ReadValue<Value>,
  ...variables: readonly string[]
): ConfigKey<Value | undefined> {
  return { read, fallback: undefined, variables };
}

/** Tells a key from a section. */
export const isKey = (entry: ConfigKey<unknown> | ConfigTable): entry is ConfigKey<unknown> =>
  typeof entry['read'] === 'function';

/** A key and the way to it, such as `scheduler.port`. */
export interface KeyAtPath {
  readonly path: string;
  readonly key: ConfigKey<unknown>;
}

/** All keys of a table in its order. */
export function listKeys(table: ConfigTable, parent = ''): KeyAtPath[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    return isKey(entry) ? [{ path, key: entry }] : listKeys(entry, path);
  });
}

/** The key or section at a path; undefined when there is none. */
export function findEntry(table: ConfigTable, path: string): ConfigKey<unknown> | ConfigTable | undefined {
  let entry: ConfigKey<unknown> | ConfigTable | undefined = table;
  for (const name of path.split('.')) {
    if (entry === undefined || isKey(entry) || !Object.hasOwn(entry, name)) return undefined;
    entry = entry[name];
  }
  return entry;
}
