import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  Session,
  Shell,
  WebContents,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Screen,
} from 'electron';
import type { Clock } from '../core/base/clock.ts';
import { appOrigin, pageUrl, serveBundle } from './app-scheme.ts';
import type { CrashWatch } from './crash-watch.ts';
import { getWindowOptions } from './main-window.ts';

/** The program's directory, relative to the built `out/main/`. */
const root = path.resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');

/** Paths of the program's parts. */
export const appPaths = {
  renderer: path.join(root, 'out', 'renderer'),
  preload: path.join(root, 'out', 'preload', 'index.cjs'),
  /** The launcher of the command `engine`. */
  launcher: path.join(root, 'out', 'cli', 'engine.js'),
  samples: path.join(root, 'resources', 'samples'),
  icon: path.join(root, 'resources', 'icons', 'icon.png'),
  icons: path.join(root, 'resources', 'icons'),
} as const;

/** Prevents navigation to foreign pages and new windows; web links open in the browser. */
export function guardNavigation(contents: WebContents, shell: Pick<Shell, 'openExternal'>): void {
  contents.on('will-navigate', (event) => {
    if (!event.url.startsWith(`${appOrigin}/`)) event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebAddress(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** Electron grants every permission by default; the app only needs clipboard write access. */
export function denyPermissions(
  session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  );
  session.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
}

function isWebAddress(url: string): boolean {
  try {
    return new URL(url).protocol === 'https:';
  } catch {
    return false;
  }
}

/** Maximum wait for a page. */
const timeoutMs = 3000;
/** Delay, so that the page's first requests take precedence. */
const afterLoadDelayMs = 500;

/**
 * Calls back once, when the window's page has loaded and received its first responses, or immediately without a
 * window; a page that does not load is only waited for briefly.
 */
export function whenLoaded(window: BrowserWindow | undefined, clock: Clock, begin: () => void): void {
  if (window === undefined) {
    begin();
    return;
  }
  const go = (): void => {
    if (!window.isDestroyed()) window.webContents.off('did-finish-load', settle);
    begin();
  };
  const settle = (): void => {
    abort();
    clock.after(afterLoadDelayMs, go);
  };
  const abort = clock.after(timeoutMs, go);
  window.webContents.once('did-finish-load', settle);
}

/** A window created before the engine: its page process starts and loads while the engine is being opened. */
export class PreparedWindow {
  readonly #create: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  #prepared: BrowserWindow | undefined;
  #started:
    | { readonly window: BrowserWindow; readonly address: string; readonly loaded: Promise<void> }
    | undefined;

  constructor(create: (options: BrowserWindowConstructorOptions) => BrowserWindow) {
    this.#create = create;
  }

  /** @param address address of its page, if already known */
  prepare(options: BrowserWindowConstructorOptions, address?: string): void {
    const window = this.#create(options);
    this.#prepared = window;
    if (address === undefined) return;
    const loaded = window.loadURL(address);
    // The caller of {@link load} receives the error.
    loaded.catch(() => undefined);
    this.#started = { window, address, loaded };
  }

  /** Returns the prepared window once; after that, or if it was closed, a new one. */
  take(options: BrowserWindowConstructorOptions): BrowserWindow {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    return prepared === undefined || prepared.isDestroyed() ? this.#create(options) : prepared;
  }

  /** Loads a page, unless the window has already started to. Rejects if it does not load. */
  load(window: BrowserWindow, address: string): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    return started?.window === window && started.address === address
      ? started.loaded
      : window.loadURL(address);
  }
}

/** Options of the first window. */
export interface FirstWindow {
  readonly home: string;
  readonly session: Session;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly crashes: Pick<CrashWatch, 'page'>;
  /** Hidden at a hidden start; without a page if a page other than the first may be requested. */
  readonly start: 'hidden' | 'without page' | 'with page';
  createWindow(options: BrowserWindowConstructorOptions): BrowserWindow;
}

/** Where the window finds its stored position and its parts. */
export const windowBounds = ({ home, screen }: Pick<FirstWindow, 'home' | 'screen'>) => ({
  workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
  stateFile: path.join(home, 'desktop', 'window.json'),
  preload: appPaths.preload,
  icon: appPaths.icon,
});

/** Loads the page while the engine is being opened; its requests wait until the engine is ready. */
export function prepareWindow(first: FirstWindow): PreparedWindow {
  const { session, crashes, start } = first;
  session.protocol.handle(
    'app',
    serveBundle(appPaths.renderer, () => crashes.page()),
  );
  denyPermissions(session);
  const windows = new PreparedWindow((options) => first.createWindow(options));
  if (start !== 'hidden')
    windows.prepare(
      getWindowOptions(windowBounds(first)).options,
      start === 'with page' ? pageUrl : undefined,
    );
  return windows;
}
