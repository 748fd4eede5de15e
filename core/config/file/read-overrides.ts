import type { Diagnostic } from '../../model/diagnostic.ts';
import { createReport } from '../../spec/source/report.ts';
import { findEntry, isKey, listKeys, type ConfigTable, type KeyAtPath } from './config-key.ts';
import type { ConfigOrigin, GivenValues } from './given-values.ts';

/** What the command line says of a key. */
export interface ConfigFlag {
  /** As it was typed, such as `--port`. */
  readonly name: string;
  readonly text: string;
}

/** Flags by the path of the key they are for. */
export type ConfigFlags = Readonly<Record<string, ConfigFlag>>;

/** Values that win over the file; each is read as the file's value would be. */
export interface Overrides {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: ConfigFlags;
  /** Absolute; relative paths count from it. */
  readonly cwd: string;
}

/**
 * Puts variables, and then flags, over what the file gives.
 * @returns what is wrong with them
 */
export function readOverrides(table: ConfigTable, given: GivenValues, overrides: Overrides): Diagnostic[] {
  const { environment, flags, cwd } = overrides;
  const put = ({ path, key }: KeyAtPath, text: string, origin: ConfigOrigin & { name: string }) => {
    const report = createReport(text, `${origin.kind} ${origin.name}`);
    const node = { kind: 'scalar', start: 0, value: text, text } as const;
    given.set(path, { value: key.read({ node, path }, report, cwd), origin });
    // There is no line to go to.
    return report.list().map((finding) => ({ ...finding, line: 0, column: 0 }));
  };
  const fromVariables = listKeys(table).flatMap((entry) => {
    const name = entry.key.variables.find((variable) => (environment[variable] ?? '') !== '');
    return name === undefined ? [] : put(entry, environment[name]!, { kind: 'variable', name });
  });
  const fromFlags = Object.entries(flags).flatMap(([path, { name, text }]) => {
    const key = findEntry(table, path);
    return key && isKey(key) ? put({ path, key }, text, { kind: 'flag', name }) : [];
  });
  return [...fromVariables, ...fromFlags];
}
