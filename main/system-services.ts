import path from 'node:path';
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { App, BrowserWindow, Dialog, MessageBoxOptions, Session } from 'electron';
import type { ServiceControl, Engine } from '../core/index.ts';
import type { appCalls, DesktopMessage } from '../core/contract/desktop-calls.ts';
import type { Clock } from '../core/base/clock.ts';
import { AppError } from '../core/base/errors.ts';
import type { DesktopHandlers } from './desktop-ipc.ts';
import { Files } from './files.ts';
import { handleOpenEvents, type ProcessStart } from './launch-args.ts';
import { LinkOpener, RecentFiles } from './link-opener.ts';
import type { DesktopSettingsFile } from './settings.ts';
import { resolveTerminalLocation, openPty, terminalHandlers, Terminals } from './terminals.ts';
import { type Updates, NetworkSettingsApplier } from './updates.ts';
import type { Autostart } from './autostart.ts';
import type { CommandLink } from './command-link.ts';

/** Handles the window's calls for the background service. */
const serviceHandlers = (
  open: () => ServiceControl,
): Pick<DesktopHandlers, 'service.status' | 'service.change'> => ({
  'service.status': () => open().status(),
  'service.change': async ({ action }) => {
    const service = open();
    await service[action]();
    return service.status();
  },
});

/** Shared dependencies of the system services. */
export interface SystemServicesOptions {
  readonly engine: Engine;
  readonly settings: DesktopSettingsFile;
  readonly autostart: Autostart;
  readonly command: CommandLink;
  readonly updates: Updates;
  /** Opened on demand: some systems have no service manager. */
  openService(): ServiceControl;
  readonly clock: Clock;
  readonly app: Pick<
    App,
    'setAsDefaultProtocolClient' | 'addRecentDocument' | 'clearRecentDocuments' | 'getPath'
  >;
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  readonly session: Pick<Session, 'setProxy'>;
  trust(certificates: readonly string[]): void;
  window(): BrowserWindow | undefined;
  /** Brings the window to the front, at a page if set. */
  show(address?: string): void;
  notify(message: DesktopMessage): void;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
}

/**
 * System services for the window: files and links, background service, terminals, login, PATH,
 * network and updates.
 */
export class SystemServices {
  readonly opener: LinkOpener;
  readonly recent: RecentFiles;
  readonly files: Files;
  readonly #options: SystemServicesOptions;
  readonly #terminals: Terminals;
  readonly #network: NetworkSettingsApplier;
  #isClosingAnyway = false;

  constructor(options: SystemServicesOptions) {
    const { engine, settings, app, notify } = options;
    this.#options = options;
    const recent = new RecentFiles(settings, app, () => notify({ kind: 'recent_changed' }));
    this.recent = recent;
    this.opener = new LinkOpener(
      (address) => options.show(address),
      notify,
      recent,
      engine.config.paths.dagsDir ?? path.join(engine.home, 'dags'),
    );
    const { opener } = this;
    this.files = new Files({
      dialog: options.dialog,
      window: () => options.window(),
      api: engine.api,
      app,
      opener,
      recent,
      show: () => options.show(),
      notify,
    });
    this.#terminals = new Terminals(engine, openPty, notify);
    this.#network = new NetworkSettingsApplier(
      options.session,
      (certificates) => options.trust(certificates),
      (...args) => engine.changeVariables(...args),
      (text) => notify({ kind: 'notice', notice: { tone: 'error', text } }),
    );
  }

  /**
   * Starts listening to the system and opens what the app was started with.
   * @returns whether something was opened
   */
  begin(start: ProcessStart): boolean {
    const { settings, updates, app } = this.#options;
    void this.#network.apply(settings.current.network);
    settings.onChange(({ network }) => void this.#network.apply(network));
    updates.begin();
    return handleOpenEvents(app, this.opener, start);
  }

  /** Closes the terminals when the window closes or its page changes. */
  followWindow(window: BrowserWindow): void {
    const closeAll = (): void => this.#terminals.closeAll();
    this.#isClosingAnyway = false;
    window.once('closed', closeAll);
    window.webContents.on('did-navigate', closeAll);
    window.webContents.on('render-process-gone', closeAll);
  }

  /** Whether the window may close; asks for confirmation while a program runs in a terminal. */
  mayCloseWindow(): boolean {
    const { busy } = this.#terminals;
    if (busy.length === 0 || this.#isClosingAnyway) return true;
    void this.#askToClose(busy);
    return false;
  }

  /** Whether the engine continues in the background after the app has quit. Never rejects. */
  async hasService(): Promise<boolean> {
    try {
      return (await this.#options.openService().status()).running;
    } catch {
      return false;
    }
  }

  stop(): void {
    this.#options.updates.stop();
    this.#terminals.closeAll();
  }

  get handlers(): Omit<DesktopHandlers, keyof typeof appCalls> {
    return {
      ...this.files.handlers,
      ...serviceHandlers(() => this.#options.openService()),
      ...terminalHandlers(this.#terminals, async (location) => {
        openSystemTerminal((await resolveTerminalLocation(this.#options.engine, location)).folder);
      }),
      'login.get': () => this.#options.autostart.get(),
      'login.set': ({ enabled }) => this.#options.autostart.set(enabled),
      'command.get': () => this.#options.command.get(),
      'command.set': ({ enabled }) => this.#options.command.set(enabled),
      'updates.get': () => this.#options.updates.view,
      'updates.check': () => this.#options.updates.check(),
      'updates.install': () => this.#options.updates.install(),
      'updates.stay': () => this.#options.updates.stay(),
    };
  }

  async #askToClose(busy: readonly string[]): Promise<void> {
    const programs = [...new Set(busy)].join(', ');
    const { response } = await this.#options.ask({
      type: 'question',
      title: 'Close window',
      message:
        busy.length === 1
          ? `${programs} is still running in a terminal`
          : `Programs are still running in terminals: ${programs}`,
      detail: 'Closing the window closes its terminals. Workflow runs continue.',
      buttons: ['Close terminals', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response !== 0) return;
    this.#isClosingAnyway = true;
    this.#options.window()?.close();
  }
}

/** A program with its arguments. */
export type Argv = readonly [program: string, ...args: string[]];

/** Terminals of Linux desktops, the user's default first, with the arguments for the working directory. */
const linuxTerminals: readonly (readonly [program: string, args: (folder: string) => string[]])[] = [
  ['x-terminal-emulator', () => []],
  ['gnome-terminal', (folder) => [`--working-directory=${folder}`]],
  ['kgx', (folder) => [`--working-directory=${folder}`]],
  ['ptyxis', (folder) => ['--new-window', `--working-directory=${folder}`]],
  ['konsole', (folder) => ['--workdir', folder]],
  ['xfce4-terminal', (folder) => [`--working-directory=${folder}`]],
  ['kitty', (folder) => ['--directory', folder]],
  ['alacritty', (folder) => ['--working-directory', folder]],
  ['foot', (folder) => [`--working-directory=${folder}`]],
  ['xterm', () => []],
];

/** Inputs of the search for the system's terminal. */
export interface TerminalContext {
  readonly platform: NodeJS.Platform;
  /** `$TERMINAL`, which some users set. */
  readonly chosen?: string | undefined;
  /** Whether a program is in PATH. */
  has(program: string): boolean;
}

/** Returns the command that opens the system's terminal in a directory; undefined if none is known. */
export function systemTerminalCommand(
  { platform, chosen, has }: TerminalContext,
  folder: string,
): Argv | undefined {
  if (platform === 'darwin') return ['open', '-a', 'Terminal', folder];
  if (platform === 'win32')
    return has('wt.exe') ? ['wt.exe', '-d', folder] : ['cmd.exe', '/d', '/c', 'start', 'cmd.exe'];
  if (chosen !== undefined && chosen !== '' && has(chosen)) return [chosen];
  const terminal = linuxTerminals.find(([program]) => has(program));
  return terminal && [terminal[0], ...terminal[1](folder)];
}

/**
 * Opens the system's terminal in a directory.
 * @throws `unavailable` if there is none
 */
function openSystemTerminal(folder: string): void {
  const context = {
    platform: process.platform,
    chosen: process.env['TERMINAL'],
    has: (program: string) => isOnPath(program, process.env),
  };
  const argv = systemTerminalCommand(context, folder);
  if (argv === undefined) {
    throw new AppError(
      'unavailable',
      `No terminal found. Set TERMINAL to the terminal to use. Folder: ${folder}`,
    );
  }
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** Whether a program can be started by its name. */
export function isOnPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  if (path.isAbsolute(program)) return isExecutable(program);
  return PATH.split(path.delimiter).some(
    (folder) => folder !== '' && isExecutable(path.join(folder, program)),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
