import { readFileSync, renameSync } from 'node:fs';
import { getErrorMessage } from '../core/base/errors.ts';
import { Listeners } from '../core/base/emitter.ts';
import type { DesktopSettings, DesktopSettingsChange, appCalls } from '../core/contract/desktop-calls.ts';
import { writeFileDurable } from '../core/process/write-file-durable.ts';
import type { DesktopHandlers } from './desktop-ipc.ts';
import { type Accepts, settingChecks } from './desktop-checks.ts';
import type { Notifier } from './notifier.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Settings on first start. */
export const defaultSettings: DesktopSettings = {
  life: { onClose: 'tray', closeTold: false },
  notifications: {
    failure: true,
    recovery: true,
    waiting: true,
    approval: true,
    longRun: true,
    longRunMinutes: 10,
    workflows: {},
    quiet: false,
    quietFrom: '22:00',
    quietTo: '07:00',
    quietZone: '',
    viewZone: '',
  },
  power: { keepAwake: false },
  tray: { favourites: [] },
  network: { proxyMode: 'system', proxy: '', proxyBypass: '', forSteps: true, caFile: '' },
  files: { recent: [] },
  updates: { automatic: true },
};

/**
 * Settings of the desktop app in one JSON file. A missing or invalid field has its default; unknown keys are
 * retained, so that a downgrade from a later release loses nothing.
 */
export class DesktopSettingsFile {
  /** Absolute path of `desktop.json`; the file and its directory may be missing. */
  readonly #file: string;
  readonly #reportFailure: (what: string, error: unknown) => void;
  readonly #listeners = new Listeners<DesktopSettings>();
  /** The contents of the file. */
  #fields: Fields;
  #current: DesktopSettings;

  constructor(file: string, reportFailure: (what: string, error: unknown) => void) {
    this.#file = file;
    this.#reportFailure = reportFailure;
    this.#fields = this.#read();
    this.#current = toSettings(this.#fields);
  }

  get current(): DesktopSettings {
    return this.#current;
  }

  /** Changes settings, now and, if the file is writable, for later starts. */
  change(change: DesktopSettingsChange): DesktopSettings {
    const sections = Object.entries(change).map(([name, fields]) => [
      name,
      { ...asFields(this.#fields[name]), ...this.#current[name as keyof DesktopSettings], ...fields },
    ]);
    this.#fields = { ...this.#fields, ...Object.fromEntries(sections) };
    this.#current = toSettings(this.#fields);
    this.#write();
    this.#listeners.notify(this.#current);
    return this.#current;
  }

  /** Calls back after each change. */
  readonly onChange = this.#listeners.add;

  #read(): Fields {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch {
      // There is no file before the first change.
      return {};
    }
    try {
      const fields: unknown = JSON.parse(text);
      if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
      throw new Error('not a JSON object');
    } catch (error) {
      this.#reportFailure(
        `${this.#file} is corrupt and was moved aside; using the defaults`,
        getErrorMessage(error),
      );
      this.#moveCorruptFile();
      return {};
    }
  }

  #moveCorruptFile(): void {
    try {
      renameSync(this.#file, `${this.#file}.damaged`);
    } catch (error) {
      this.#reportFailure('Could not move the corrupt settings aside', error);
    }
  }

  #write(): void {
    try {
      writeFileDurable(this.#file, `${JSON.stringify(this.#fields, undefined, 2)}\n`);
    } catch (error) {
      this.#reportFailure(`Could not save the settings in ${this.#file}`, error);
    }
  }
}

function toSettings(fields: Fields): DesktopSettings {
  const sections = Object.entries(defaultSettings).map(([name, defaults]) => [
    name,
    { ...defaults, ...findValid(settingChecks[name as keyof DesktopSettings], asFields(fields[name])) },
  ]);
  return Object.fromEntries(sections) as DesktopSettings;
}

const findValid = (checks: Readonly<Record<string, Accepts>>, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(checks)
      .filter(([name, accepts]) => Object.hasOwn(fields, name) && accepts(fields[name]))
      .map(([name]) => [name, fields[name]]),
  );

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Handles the settings page's calls for the desktop app. */
export const desktopSettingsHandlers = (
  settings: DesktopSettingsFile,
  notifier: Notifier,
): Pick<DesktopHandlers, keyof typeof appCalls> => ({
  'settings.get': () => settings.current,
  'settings.change': ({ change }) => settings.change(change),
  'notifications.try': () => {
    notifier.show({
      title: 'Stepwright',
      body: 'This is a test notification.',
      address: '#/settings',
      tone: 'info',
    });
    return { shown: notifier.isOnDesktop ? 'desktop' : 'window' };
  },
});
