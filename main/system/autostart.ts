import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import { AppError, messageOf } from '../../core/base/errors.ts';
import type { DesktopOutput } from '../../core/contract/desktop/calls.ts';
import { hiddenFlag } from '../open/launch-words.ts';

/** Data of the login entry. */
export interface AutostartFacts {
  readonly platform: NodeJS.Platform;
  /** The program: the AppImage file, otherwise the running executable. */
  readonly program: string;
  /** Arguments before the app's own: its directory in development. */
  readonly args: readonly string[];
  /** Absolute; `--engine-home`, for a home directory other than the default. */
  readonly home?: string | undefined;
  /** `$XDG_CONFIG_HOME`, otherwise `~/.config`. */
  readonly configFolder: string;
  readonly icon: string;
}

type LoginItems = Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;

/** Starts the app without a window at login, if enabled. */
export class Autostart {
  readonly #facts: AutostartFacts;
  readonly #app: LoginItems;

  constructor(facts: AutostartFacts, app: LoginItems) {
    this.#facts = facts;
    this.#app = app;
  }

  get(): DesktopOutput<'login.get'> {
    const { platform } = this.#facts;
    if (platform !== 'linux')
      return { enabled: this.#app.getLoginItemSettings(loginOptions(this.#facts)).openAtLogin };
    const place = desktopFile(this.#facts);
    return { enabled: isSwitchedOn(readIfThere(place)), place };
  }

  /** @throws `home_unusable` if the file cannot be written */
  set(enabled: boolean): DesktopOutput<'login.set'> {
    if (this.#facts.platform !== 'linux')
      this.#app.setLoginItemSettings({ ...loginOptions(this.#facts), openAtLogin: enabled });
    else this.#writeEntry(enabled);
    return this.get();
  }

  #writeEntry(enabled: boolean): void {
    const file = desktopFile(this.#facts);
    try {
      if (!enabled) return rmSync(file, { force: true });
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, writeAutostartEntry(this.#facts));
    } catch (thrown) {
      throw new AppError('home_unusable', `Could not change ${file}: ${messageOf(thrown)}`);
    }
  }
}

const wordsOf = ({ args, home }: AutostartFacts): string[] => [
  ...args,
  ...(home === undefined ? [] : ['--engine-home', home]),
  hiddenFlag,
];

/** macOS has no arguments for login items; the app can detect a start at login there. */
const loginOptions = (facts: AutostartFacts) =>
  facts.platform === 'win32' ? { path: facts.program, args: wordsOf(facts).map(quoteForWindows) } : {};

const quoteForWindows = (word: string): string =>
  /[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word;

const desktopFile = ({ configFolder }: AutostartFacts): string =>
  path.join(configFolder, 'autostart', 'stepwright.desktop');

/**
 * Returns the entry for desktops that follow freedesktop.org (Desktop Application Autostart Specification 0.5).
 */
export function writeAutostartEntry(facts: AutostartFacts): string {
  const exec = [facts.program, ...wordsOf(facts)].map(quoteForExec).join(' ');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Stepwright',
    'Comment=Run workflows on time',
    `Exec=${escapeValue(exec)}`,
    `Icon=${escapeValue(facts.icon)}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quotes an argument (Desktop Entry Specification 1.5, Exec key), with literal `%`. */
const quoteForExec = (word: string): string =>
  `"${word.replaceAll(/[\\"`$]/g, (each) => `\\${each}`).replaceAll('%', '%%')}"`;

/** Escapes a value of type string; this is decoded before the quotes. */
const escapeValue = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Desktops disable an entry by a line in it. */
const isSwitchedOn = (text: string | undefined): boolean =>
  text !== undefined && !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text);

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
