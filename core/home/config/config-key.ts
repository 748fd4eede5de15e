import type { Report, SourceRef } from '../../spec/source.ts';

/**
 * Reads a value; returns undefined after an error, which is then in `report`.
 * @param folder absolute path; base of relative paths
 */
export type ReadValue<Value> = (source: SourceRef, report: Report, folder: string) => Value | undefined;

/** One key of the configuration file. */
export interface ConfigKey<Value> {
  readonly read: ReadValue<Value>;
  /** Default value. */
  readonly fallback: Value;
  /** Environment variables that override the file. The first one that is set is used; an empty one counts as unset. */
  readonly variables: readonly string[];
  /** The value is never shown, and its variables are not passed to steps. */
  readonly isSecret?: true;
}

/** Keys and nested sections by name. */
export interface ConfigTable {
  readonly [key: string]: ConfigKey<unknown> | ConfigTable;
}

/** The values of a table of keys. */
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

/** Defines an optional key whose value is never shown. */
export function secretKey<Value>(
  read: ReadValue<Value>,
  ...variables: readonly string[]
): ConfigKey<Value | undefined> {
  return { read, fallback: undefined, variables, isSecret: true };
}

/** Defines an optional key. */
export function optionalKey<Value>(
  read: ReadValue<Value>,
  ...variables: readonly string[]
): ConfigKey<Value | undefined> {
  return { read, fallback: undefined, variables };
}

/** Whether an entry is a key and not a section. */
export const isKey = (entry: ConfigKey<unknown> | ConfigTable): entry is ConfigKey<unknown> =>
  typeof entry['read'] === 'function';

/** A key with its path, such as `scheduler.port`. */
export interface KeyAtPath {
  readonly path: string;
  readonly key: ConfigKey<unknown>;
}

/** Lists all keys of a table in order. */
export function listKeys(table: ConfigTable, parent = ''): KeyAtPath[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    return isKey(entry) ? [{ path, key: entry }] : listKeys(entry, path);
  });
}

/** Returns the key or section at a path, or undefined. */
export function findEntry(table: ConfigTable, path: string): ConfigKey<unknown> | ConfigTable | undefined {
  let entry: ConfigKey<unknown> | ConfigTable | undefined = table;
  for (const name of path.split('.')) {
    if (entry === undefined || isKey(entry) || !Object.hasOwn(entry, name)) return undefined;
    entry = entry[name];
  }
  return entry;
}

/** Source of an effective value. Later kinds in this list take precedence. */
export type ConfigOrigin =
  | { readonly kind: 'default' }
  /** `file` is absolute; line and column are 1-based. */
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'flag'; readonly name: string };

/** A value that was set explicitly. */
export interface ConfigOverride {
  /** Undefined if it is invalid, in which case there is an error. */
  readonly value: unknown;
  readonly origin: ConfigOrigin;
}

/** Explicitly set values by path, such as `scheduler.port`. */
export type ConfigOverrides = Map<string, ConfigOverride>;
