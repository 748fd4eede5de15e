import type { Report } from '../../spec/source/report.ts';
import type { Place } from '../../spec/source/source-node.ts';

/** Reads a value where it stands; undefined after an error, which `report` has then. */
export type ReadValue<Value> = (place: Place, report: Report) => Value | undefined;

/** One key of the configuration file. */
export interface ConfigKey<Value> {
  readonly read: ReadValue<Value>;
  /** What counts when nobody says anything. */
  readonly fallback: Value;
  /** Environment variable that wins over the file; an empty one counts as unset. */
  readonly variable?: string;
}

/** Keys, and sections of keys, by name. */
export interface ConfigTable {
  // oxlint-disable-next-line typescript/no-explicit-any -- each key has a type of its own, kept by `ConfigValues`
  readonly [key: string]: ConfigKey<any> | ConfigTable;
}

/** What a table of keys is read to: every key has a value. */
export type ConfigValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends ConfigKey<infer Value> ? Value : ConfigValues<Table[Key]>;
};

export function key<Value>(read: ReadValue<Value>, fallback: Value, variable?: string): ConfigKey<Value> {
  return { read, fallback, ...(variable === undefined ? {} : { variable }) };
}

/** Tells a key from a section. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in `ConfigTable`
export const isKey = (entry: ConfigKey<any> | ConfigTable): entry is ConfigKey<any> =>
  typeof entry['read'] === 'function';
