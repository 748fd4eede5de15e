import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import { AppError, getErrorMessage } from '../core/base/errors.ts';
import type { DesktopOutput } from '../core/contract/desktop-calls.ts';
import { hiddenFlag } from './launch-args.ts';

/** Data of the login entry. */
export interface AutostartContext {
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
  readonly #context: AutostartContext;
  readonly #app: LoginItems;

  constructor(context: AutostartContext, app: LoginItems) {
    this.#context = context;
    this.#app = app;
  }

  get(): DesktopOutput<'login.get'> {
    const { platform } = this.#context;
    if (platform !== 'linux')
      return { enabled: this.#app.getLoginItemSettings(loginOptions(this.#context)).openAtLogin };
    const entryPath = desktopFile(this.#context);
    return { enabled: isSwitchedOn(readOptionalFile(entryPath)), place: entryPath };
  }

  /** @throws `home_unusable` if the file cannot be written */
  set(enabled: boolean): DesktopOutput<'login.set'> {
    if (this.#context.platform !== 'linux')
      this.#app.setLoginItemSettings({ ...loginOptions(this.#context), openAtLogin: enabled });
    else this.#writeEntry(enabled);
    return this.get();
  }

  #writeEntry(enabled: boolean): void {
    const file = desktopFile(this.#context);
    try {
      if (!enabled) return rmSync(file, { force: true });
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, writeAutostartEntry(this.#context));
    } catch (error) {
      throw new AppError('home_unusable', `Could not change ${file}: ${getErrorMessage(error)}`);
    }
  }
}

const getWords = ({ args, home }: AutostartContext): string[] => [
  ...args,
  ...(home === undefined ? [] : ['--engine-home', home]),
  hiddenFlag,
];

/** macOS has no arguments for login items; the app can detect a start at login there. */
const loginOptions = (context: AutostartContext) =>
  context.platform === 'win32' ? { path: context.program, args: getWords(context).map(quoteForWindows) } : {};

const quoteForWindows = (word: string): string =>
  /[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word;

const desktopFile = ({ configFolder }: AutostartContext): string =>
  path.join(configFolder, 'autostart', 'stepwright.desktop');

/**
 * Returns the entry for desktops that follow freedesktop.org (Desktop Application Autostart Specification 0.5).
 */
export function writeAutostartEntry(context: AutostartContext): string {
  const exec = [context.program, ...getWords(context)].map(quoteForExec).join(' ');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Stepwright',
    'Comment=Run workflows on a schedule',
    `Exec=${escapeValue(exec)}`,
    `Icon=${escapeValue(context.icon)}`,
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

function readOptionalFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
