import { AppError } from '../../base/errors.ts';
import { liveSettings, type Encryption } from '../../model/editable-settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { BaseConfig } from '../../spec/base-config.ts';
import type { Smtp } from '../../model/settings.ts';
import { readEditable } from '../../edit/yaml/editable-text.ts';
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
import {
  editSetting,
  parseSetting,
  readOptionalText,
  writeText,
  findWrittenPath,
  type SettingValue,
} from './setting-edit.ts';

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

/** The configuration of an installation as it is now, which may be newer than that of this process. */
export class InstallationSettings {
  readonly #location: ConfigLocation;
  /** Applies a change of one of the `liveSettings`. */
  readonly #apply: (config: EngineConfig) => void;
  /** Values in use, as JSON, by path. */
  readonly #running: Map<string, string>;

  /**
   * @param values The values that this process has started with.
   */
  constructor(
    location: ConfigLocation,
    values: readonly EffectiveValue[],
    apply: (config: EngineConfig) => void,
  ) {
    this.#location = location;
    this.#apply = apply;
    this.#running = new Map(values.map(({ path, value }) => [path, toJson(value)]));
  }

  /** Absolute path of the configuration file. */
  get file(): string {
    return findConfigFile(this.#location).file;
  }

  /** @throws `invalid_config` */
  list(): InstallationSetting[] {
    return loadEngineConfig(this.#location).values.map((entry) => ({
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
    this.#requireOwnValue(key);
    const { file } = findConfigFile(this.#location);
    const before = readOptionalText(file);
    const after = editSetting(before, key.split('.'), text === undefined ? null : parseSetting(text));
    const { config, values } = checkText(this.#location, key, after);
    if (after !== before) writeText(file, after);
    if (!isLive(key)) return;
    this.#apply(config);
    this.#running.set(key, toJson(values.find(({ path }) => path === key)?.value));
  }

  #requireOwnValue(key: string): void {
    const entry = loadEngineConfig(this.#location).values.find(({ path }) => path === key);
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

/** The mail server of the base configuration, and the sender of emails about runs; values are unexpanded. */
export interface MailSettings {
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly encryption: Encryption;
  readonly verifyCertificate: boolean;
  readonly from: string;
}

/** New settings. */
export interface MailChange extends MailSettings {
  /** Null removes it; undefined leaves it unchanged. */
  readonly password?: string | null | undefined;
}

/** Returns the first mail server of a base configuration. */
export function readMailSettings(base: BaseConfig | undefined): MailSettings {
  const { host = '', port = '', username = '', requireTLS, skipTLSVerify } = base?.smtp?.[0] ?? {};
  return {
    host,
    port,
    username,
    encryption: requireTLS === undefined ? 'auto' : requireTLS ? 'required' : 'optional',
    verifyCertificate: skipTLSVerify !== true,
    from: base?.errorMail?.from ?? base?.infoMail?.from ?? '',
  };
}

/** Returns the server that the settings describe. */
export const toSmtp = (change: MailChange, saved: Smtp | undefined): Smtp => ({
  host: change.host,
  ...(change.port !== '' && { port: change.port }),
  ...(change.username !== '' && { username: change.username }),
  ...toPassword(change.password === undefined ? saved?.password : change.password),
  ...(change.encryption !== 'auto' && { requireTLS: change.encryption === 'required' }),
  ...(!change.verifyCertificate && { skipTLSVerify: true }),
});

const toPassword = (password: string | null | undefined): Pick<Smtp, 'password'> =>
  password === undefined || password === null || password === '' ? {} : { password };

/**
 * Changes the mail server in the text of a base configuration. Comments and all other lines stay unchanged.
 * @throws `conflict` if the file has to be edited by hand
 */
export function editMailSettings(text: string, change: MailChange): string {
  let edited = text;
  const set = (path: readonly (string | number)[], value: SettingValue | null): void => {
    edited = editSetting(edited, path, value);
  };
  const orNone = (value: string): SettingValue | null => (value === '' ? null : parseSetting(value));
  const { encryption, password } = change;
  if (change.host === '') set(['smtp'], null);
  else {
    const { value } = findWrittenPath(readEditable(text).documents[0]?.toJS(), ['smtp']);
    const server = Array.isArray(value) ? ['smtp', 0] : ['smtp'];
    set([...server, 'host'], change.host);
    set([...server, 'port'], orNone(change.port));
    set([...server, 'username'], change.username === '' ? null : change.username);
    if (password !== undefined) set([...server, 'password'], password === '' ? null : password);
    set([...server, 'requireTLS'], encryption === 'auto' ? null : encryption === 'required');
    set([...server, 'skipTLSVerify'], change.verifyCertificate ? null : true);
  }
  for (const mail of ['errorMail', 'infoMail']) set([mail, 'from'], change.from === '' ? null : change.from);
  return edited;
}
