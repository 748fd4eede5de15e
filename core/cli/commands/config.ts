import { existsSync } from 'node:fs';
import type { JsonValue } from '../../base/json.ts';
import { exitCodes } from '../../base/error-codes.ts';
import {
  findConfigFile,
  loadEngineConfig,
  type ConfigFlags,
  type ConfigLocation,
  type EffectiveValue,
} from '../../home/config/engine-config.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import { findEntry, isKey, listKeys } from '../../home/config/config-key.ts';
import { configTable } from '../../home/config/config-table.ts';
import { InstallationSettings, secretMask } from '../../home/config/installation-settings.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import { oneLine, formatTable } from '../format.ts';

export interface ConfigShowInput {
  readonly format: OutputFormat;
  /** Configuration keys from the command line. */
  readonly flags: ConfigFlags;
}

/** Prints the effective configuration and the source of each value. Throws `invalid_config`. */
export async function runConfigShow(context: CommandContext, input: ConfigShowInput): Promise<number> {
  const location = { ...getConfigLocation(context), flags: input.flags };
  const { values, warnings } = loadEngineConfig(location);
  const { file } = findConfigFile(location);
  if (input.format === 'json') {
    const shown = values.map((entry) => ({ key: entry.path, value: show(entry), origin: entry.origin }));
    await printJson(context, { home: context.home, file, exists: existsSync(file), values: shown, warnings });
    return exitCodes.success;
  }
  const rows = values.map((entry) => [entry.path, asText(show(entry)), formatOrigin(entry)]);
  await printLines(context, formatTable(['KEY', 'VALUE', 'ORIGIN'], rows));
  for (const warning of warnings) await context.terminal.stderr.write(`${formatDiagnostic(warning)}\n`);
  return exitCodes.success;
}

/** Prints the path of the configuration file, which may not exist. */
export async function runConfigPath(
  context: CommandContext,
  { format }: { readonly format: OutputFormat },
): Promise<number> {
  const { file } = findConfigFile(getConfigLocation(context));
  if (format === 'json') await printJson(context, { path: file, exists: existsSync(file) });
  else await printLines(context, [file]);
  return exitCodes.success;
}

export interface ConfigSetInput {
  /** Path of the key. */
  readonly key: string;
  /** Undefined removes it from the file. */
  readonly value?: string;
}

/**
 * Changes a value in the configuration file; comments stay. Throws `bad_request`, `conflict` if a variable overrides
 * it, and `invalid_config`.
 */
export async function runConfigSet(context: CommandContext, { key, value }: ConfigSetInput): Promise<number> {
  const entry = findEntry(configTable, key);
  if (entry === undefined || !isKey(entry)) {
    const nearest = findNearest(
      key,
      listKeys(configTable).map(({ path }) => path),
    );
    const hint = nearest === undefined ? 'engine config show lists all keys.' : `Did you mean "${nearest}"?`;
    throw new AppError('bad_request', `Unknown key "${key}". ${hint}`);
  }
  const settings = new InstallationSettings(getConfigLocation(context), [], () => undefined);
  settings.set(key, value);
  const change = value === undefined ? `Removed ${key} from` : `Set ${key} in`;
  await printLines(context, [`${change} ${settings.file}. Restart running hosts to apply it.`]);
  return exitCodes.success;
}

const getConfigLocation = ({ home, environment, configFile, cwd }: CommandContext): ConfigLocation => ({
  home,
  environment,
  file: configFile,
  cwd,
});

/** Returns a value as JSON; null if unset. */
function show({ value, isSecret }: EffectiveValue): JsonValue {
  if (value === undefined) return null;
  if (isSecret) return secretMask;
  return value instanceof Map ? (Object.fromEntries(value) as JsonValue) : (value as JsonValue);
}

function asText(value: JsonValue): string {
  if (value === null || value === '') return '-';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function formatOrigin({ origin }: EffectiveValue): string {
  if (origin.kind === 'default') return 'default';
  if (origin.kind === 'file') return `${oneLine(origin.file)}:${origin.line}`;
  return origin.kind === 'flag' ? `option ${origin.name}` : `variable ${origin.name}`;
}

/** Prints the version. The entry point handles a bare `engine version` itself, which is faster. */
export async function runVersion(context: CommandContext, format: OutputFormat): Promise<number> {
  if (format === 'json') await printJson(context, { version: context.version });
  else await printLines(context, [`engine ${context.version}`]);
  return exitCodes.success;
}
