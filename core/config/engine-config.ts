import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../base/errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { formatDiagnostic } from '../spec/format-diagnostic.ts';
import { readSource } from '../spec/read-source.ts';
import { createReport } from '../spec/source/report.ts';
import { isKey, type ConfigTable, type ConfigValues } from './file/config-key.ts';
import { configHistory, configTable } from './file/config-table.ts';
import { readTable, type GivenValues } from './file/read-table.ts';

/** The configuration of one installation, defaults filled in. */
export type EngineConfig = ConfigValues<typeof configTable>;

/** Where the configuration comes from. */
export interface ConfigPlace {
  /** Absolute path of the home; `config.yaml` in it need not be there. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--config`: a file that has to be there. Before `ENGINE_CONFIG`, which names one, too. */
  readonly file?: string;
}

export interface LoadedConfig {
  readonly config: EngineConfig;
  /** What to change in the file while it still works. */
  readonly warnings: readonly Diagnostic[];
}

/** A megabyte holds far more keys than there are. */
const maxBytes = 1024 * 1024;

/**
 * Reads the configuration file and the variables over it. Throws `invalid_config` with every mistake, or when a file
 * that somebody named is not there or cannot be read.
 */
export function loadEngineConfig(place: ConfigPlace): LoadedConfig {
  const named = place.file ?? (place.environment['ENGINE_CONFIG'] || undefined);
  const file = path.resolve(named ?? path.join(place.home, 'config.yaml'));
  const text = readConfigText(file, named !== undefined);
  const given: GivenValues = new Map();
  const { diagnostics } = readSource({ text, file }, ([node], report) => {
    if (node !== undefined)
      readTable(configTable, { node, path: '' }, given, { report, history: configHistory });
  });
  const found = [...diagnostics, ...readVariables(configTable, place.environment, given)];
  const errors = found.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new AppError('invalid_config', describe(errors), { details: { diagnostics: errors } });
  return { config: fill(configTable, given, '') as EngineConfig, warnings: found };
}

/** What counts when there is neither a file nor a variable. */
export const defaultConfig: EngineConfig = fill(configTable, new Map(), '') as EngineConfig;

function describe(errors: readonly Diagnostic[]): string {
  return `The configuration has ${errors.length === 1 ? 'an error' : 'errors'}:\n${errors.map(formatDiagnostic).join('\n')}`;
}

function readConfigText(file: string, isNamed: boolean): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(maxBytes + 1);
      const length = readSync(handle, buffer, 0, buffer.length, 0);
      if (length > maxBytes)
        throw new AppError('invalid_config', `${file} is no configuration file: it is over 1 MiB`);
      return buffer.toString('utf8', 0, length);
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const { code } = thrown as NodeJS.ErrnoException;
    // What the home itself is made of is judged when it is prepared.
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !isNamed) return '';
    const reason =
      code === 'ENOENT'
        ? 'there is none. Create it, or do not name it (--config, ENGINE_CONFIG)'
        : `it cannot be read (${code}). Check that it is a file, and its permissions`;
    throw new AppError('invalid_config', `The configuration file ${file}: ${reason}`, { cause: thrown });
  }
}

/** Variables win over the file; each is read as the file's value would be. */
function readVariables(
  table: ConfigTable,
  environment: ConfigPlace['environment'],
  given: GivenValues,
  parent = '',
): Diagnostic[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const below = parent === '' ? name : `${parent}.${name}`;
    if (!isKey(entry)) return readVariables(entry, environment, given, below);
    const { variable = '' } = entry;
    const text = environment[variable];
    if (text === undefined || text === '') return [];
    const report = createReport(text, `the variable ${variable}`);
    given.set(
      below,
      entry.read({ node: { kind: 'scalar', start: 0, value: text, text }, path: below }, report),
    );
    return report.list();
  });
}

function fill(table: ConfigTable, given: GivenValues, parent: string): object {
  const entries = Object.entries(table).map(([name, entry]) => {
    const below = parent === '' ? name : `${parent}.${name}`;
    return [name, isKey(entry) ? (given.get(below) ?? entry.fallback) : fill(entry, given, below)];
  });
  return Object.fromEntries(entries) as object;
}
