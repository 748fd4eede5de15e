import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { AppError, formatFsError } from '../../base/errors.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { readSource } from '../../spec/read-source.ts';
import { findBaseConfig, homePaths, type HomePaths } from './home.ts';
import { checkConfig, configHistory } from './check-config.ts';
import {
  isKey,
  listKeys,
  type ConfigTable,
  type ConfigValues,
  type ConfigOrigin,
  type ConfigOverride,
  type ConfigOverrides,
} from './config-key.ts';
import { configTable } from './config-table.ts';
import { readOverrides, type ConfigFlags, readTable } from './read-table.ts';

export type { ConfigFlags } from './read-table.ts';

/** The configuration of one installation with defaults applied. */
export type EngineConfig = ConfigValues<typeof configTable>;

/** Sources of the configuration, in order of precedence: flags, environment variables, the file, defaults. */
export interface ConfigLocation {
  /** Absolute path of the home; its `config.yaml` is optional. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--config`: a file that must exist. Takes precedence over `ENGINE_CONFIG`. */
  readonly file?: string | undefined;
  readonly flags?: ConfigFlags;
  /** Absolute path; base of relative paths in flags and variables. Default: the current directory. */
  readonly cwd?: string;
}

/** An effective value and its source. */
export interface EffectiveValue {
  /** Path of the key, such as `scheduler.port`. */
  readonly path: string;
  /** Undefined if it is not set and has no default. */
  readonly value: unknown;
  readonly origin: ConfigOrigin;
  readonly isSecret: boolean;
}

export interface LoadedConfig {
  readonly config: EngineConfig;
  /** Paths of the installation. */
  readonly paths: HomePaths;
  /** Deprecated settings that still work. */
  readonly warnings: readonly Diagnostic[];
  /** Every key in the order of the table. */
  readonly values: readonly EffectiveValue[];
}

/** Maximum size of the file in bytes, far more than all keys need. */
const maxBytes = 1024 * 1024;

/** The configuration file: absolute path, whether or not it exists. */
export interface ConfigFileLocation {
  readonly file: string;
  /** Set explicitly, so that the file must exist. */
  readonly isNamed: boolean;
}

/** Returns `--config`, else `ENGINE_CONFIG`, else `config.yaml` in the home. */
export function findConfigFile({ home, environment, file, cwd = '' }: ConfigLocation): ConfigFileLocation {
  const named = file ?? (environment['ENGINE_CONFIG'] || undefined);
  return { file: path.resolve(cwd, named ?? path.join(home, 'config.yaml')), isNamed: named !== undefined };
}

/**
 * Reads the configuration file and applies variables and flags.
 * @throws `invalid_config` with all errors, or if a file that was set explicitly does not exist or cannot be read
 */
export function loadEngineConfig(location: ConfigLocation): LoadedConfig {
  const { file, isNamed } = findConfigFile(location);
  return parseEngineConfig(location, readConfigText(file, isNamed));
}

/**
 * The same for a text in place of the configuration file's.
 * @throws `invalid_config` with all errors
 */
export function parseEngineConfig(location: ConfigLocation, text: string): LoadedConfig {
  const { file } = findConfigFile(location);
  const explicitValues: ConfigOverrides = new Map();
  const { diagnostics } = readSource({ text, file }, ([node], report) => {
    const reading = { root: configTable, history: configHistory, report, file, explicitValues };
    if (node !== undefined)
      readTable(configTable, { node, path: '' }, { ...reading, folder: path.dirname(file) });
  });
  const { environment, flags = {}, cwd = process.cwd() } = location;
  const allDiagnostics = [
    ...diagnostics,
    ...readOverrides(configTable, explicitValues, { environment, flags, cwd }),
  ];
  if (!allDiagnostics.some(isError)) allDiagnostics.push(...checkConfig(explicitValues));
  const errors = allDiagnostics.filter(isError);
  if (errors.length > 0)
    throw new AppError('invalid_config', formatErrors(errors), { details: { diagnostics: errors } });
  const config = resolveTable(configTable, explicitValues, '') as EngineConfig;
  const paths = homePaths(location.home, {
    ...config.paths,
    configFile: file,
    databaseUrl: config.database.url,
    objectStoreUrl: config.objectStore.url,
  });
  return { config, paths, warnings: allDiagnostics, values: listValues(explicitValues, paths) };
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function listValues(explicitValues: ConfigOverrides, paths: HomePaths): EffectiveValue[] {
  const usual: Readonly<Record<string, string>> = {
    'paths.dagsDir': paths.dags,
    'paths.logDir': paths.logs,
    'paths.dataDir': paths.data,
    'paths.baseConfig': findBaseConfig(paths.home, undefined).file,
  };
  return listKeys(configTable).map((at) => {
    const unsaid: ConfigOverride = { value: usual[at.path] ?? at.key.fallback, origin: { kind: 'default' } };
    return { path: at.path, ...(explicitValues.get(at.path) ?? unsaid), isSecret: at.key.isSecret === true };
  });
}

function formatErrors(errors: readonly Diagnostic[]): string {
  return `The configuration has ${errors.length === 1 ? 'an error' : 'errors'}:\n${errors.map(formatDiagnostic).join('\n')}`;
}

function readConfigText(file: string, isNamed: boolean): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(maxBytes + 1);
      const length = readSync(handle, buffer, 0, buffer.length, 0);
      if (length > maxBytes)
        throw new AppError('invalid_config', `${file} is not a configuration file: it is larger than 1 MiB.`);
      return buffer.toString('utf8', 0, length);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // Problems of the home itself are reported when it is prepared.
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !isNamed) return '';
    const reason =
      code === 'ENOENT'
        ? 'file not found. Create it, or remove the setting (--config, ENGINE_CONFIG)'
        : `cannot be read: ${formatFsError(error)}`;
    throw new AppError('invalid_config', `Configuration file ${file}: ${reason}.`, { cause: error });
  }
}

function resolveTable(table: ConfigTable, explicitValues: ConfigOverrides, parent: string): object {
  const entries = Object.entries(table).map(([name, entry]) => {
    const below = parent === '' ? name : `${parent}.${name}`;
    return [
      name,
      isKey(entry)
        ? (explicitValues.get(below)?.value ?? entry.fallback)
        : resolveTable(entry, explicitValues, below),
    ];
  });
  return Object.fromEntries(entries) as object;
}
