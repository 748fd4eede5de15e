import type { Diagnostic } from '../../model/diagnostic.ts';
import { createReport } from '../../spec/source/report.ts';
import { findEntry, isKey, listKeys, type ConfigTable, type KeyAtPath } from './config-key.ts';
import type { ConfigOrigin, ConfigOverrides } from './config-overrides.ts';

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
