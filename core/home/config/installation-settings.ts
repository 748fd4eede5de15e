import { AppError } from '../../base/errors.ts';
import { liveSettings } from '../../model/editable-settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { findEntry, isKey } from './config-key.ts';
import { configTable } from './config-table.ts';
import {
  findConfigFile,
  loadEngineConfig,
  parseEngineConfig,
  type ConfigLocation,
  type EffectiveValue,
  type EngineConfig,
} from './engine-config.ts';
import { editSetting, parseSetting, readOptionalText, writeText } from './setting-edit.ts';

/** Placeholder for a secret value. */
export const secretMask = '********';

/** An effective value, and how it differs from this process. */
export interface InstallationSetting extends EffectiveValue {
  readonly defaultValue: unknown;
  /** Whether changes apply only after a restart. */
  readonly needsRestart: boolean;
  /** Whether this process uses another value until it is restarted. */
  readonly isRestartPending: boolean;
}

interface SettingsDeps {
  readonly location: ConfigLocation;
  /** The values that this process has started with. */
  readonly values: readonly EffectiveValue[];
  /** Applies a change of one of the `liveSettings`. */
  readonly apply: (config: EngineConfig) => void;
}

/** The configuration of an installation as it is now, which may be newer than that of this process. */
export class InstallationSettings {
  readonly #deps: SettingsDeps;
  /** Values in use, as JSON, by path. */
  readonly #running: Map<string, string>;

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
    this.#running = new Map(deps.values.map(({ path, value }) => [path, toJson(value)]));
  }

  /** Absolute path of the configuration file. */
  get file(): string {
    return findConfigFile(this.#deps.location).file;
  }

  /** @throws `invalid_config` */
  list(): InstallationSetting[] {
    return loadEngineConfig(this.#deps.location).values.map((entry) => ({
      ...entry,
      defaultValue: entry.origin.kind === 'default' ? entry.value : fallbackOf(entry.path),
      needsRestart: !isLive(entry.path),
      isRestartPending: this.#running.get(entry.path) !== toJson(entry.value),
    }));
  }

  /**
   * Changes a value in the configuration file, and in this process if it can be applied at once.
   * @param text undefined removes it
   * @throws `bad_request` if the value is invalid, `conflict` if it is overridden or the file has to be edited by hand,
   * `invalid_config` if the file has other errors, `home_unusable` or `storage_full`
   */
  set(key: string, text: string | undefined): void {
    const { location, apply } = this.#deps;
    this.#requireOwnValue(key);
    const { file } = findConfigFile(location);
    const before = readOptionalText(file);
    const after = editSetting(before, key.split('.'), text === undefined ? null : parseSetting(text));
    const { config, values } = checkText(location, key, after);
    if (after !== before) writeText(file, after);
    if (!isLive(key)) return;
    apply(config);
    this.#running.set(key, toJson(values.find(({ path }) => path === key)?.value));
  }

  #requireOwnValue(key: string): void {
    const entry = loadEngineConfig(this.#deps.location).values.find(({ path }) => path === key);
    if (entry?.origin.kind === 'variable' || entry?.origin.kind === 'flag')
      throw new AppError('conflict', `"${key}" is set by ${entry.origin.name}. Change it there.`, {
        details: { field: 'value' },
      });
  }
}

const isLive = (path: string): boolean => liveSettings.some((key) => key === path);

/** Checks the text of the configuration file before it is written. */
function checkText(location: ConfigLocation, key: string, text: string) {
  try {
    return parseEngineConfig(location, text);
  } catch (error) {
    const { diagnostics } = (error instanceof AppError ? error.details : undefined) ?? {};
    const found = (diagnostics as readonly Diagnostic[] | undefined)?.find(({ path }) => path === key);
    if (found === undefined) throw error;
    throw new AppError('bad_request', `value: ${found.message}`, { details: { field: 'value' } });
  }
}

function fallbackOf(path: string): unknown {
  const entry = findEntry(configTable, path);
  return entry && isKey(entry) ? entry.fallback : undefined;
}

const toJson = (value: unknown): string =>
  JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value) ?? '';

/** Paths of durations, whose values are seconds. */
const durations: ReadonlySet<string> = new Set(['scheduler.catchupWindow', 'monitor.retention']);

/** Returns a value as it could be written in the configuration file; lists and maps as JSON. */
export function formatSetting(path: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (durations.has(path) && typeof value === 'number') return formatSeconds(value);
  return typeof value === 'string' ? value : toJson(value);
}

function formatSeconds(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const;
  const unit = units.find(([, size]) => seconds >= size && seconds % size === 0);
  return unit === undefined ? `${seconds}s` : `${seconds / unit[1]}${unit[0]}`;
}
