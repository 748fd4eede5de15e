import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Rectangle, BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { Clock } from '../core/base/clock.ts';
import { pageUrl } from './app-scheme.ts';

/** The stored position and size of the window. */
interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** The smallest window size in which every page is usable. */
export const minSize = { width: 720, height: 480 } as const;

/** Initial size. */
const firstSize = { width: 1280, height: 800 };

/** Reads the state; undefined if it is missing or damaged, which is not an error. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const { bounds, maximized } = JSON.parse(readFileSync(file, 'utf8')) as {
      bounds: Rectangle;
      maximized: unknown;
    };
    const { x, y, width, height } = bounds;
    const whole = [x, y, width, height].every(Number.isInteger);
    return whole ? { bounds: { x, y, width, height }, maximized: maximized === true } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the state through a temporary file, so that a crash leaves the old one. Throws the file system's
 * error.
 */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Fits a window to the current screens: since the state was stored, a monitor may have been unplugged or
 * changed its resolution. Without a state, or far from every screen, it is centered on the first one.
 */
export function fitToWorkAreas(state: WindowState | undefined, workAreas: readonly Rectangle[]): WindowState {
  const maximized = state?.maximized ?? false;
  for (const area of workAreas) {
    const bounds = state && { ...state.bounds, ...limitSize(state.bounds, area) };
    if (bounds && isOnScreen(bounds, area)) return { bounds, maximized };
  }
  const [first = { x: 0, y: 0, ...firstSize }] = workAreas;
  return { bounds: centre(limitSize(state?.bounds ?? firstSize, first), first), maximized };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Not larger than the screen, but at least the minimum usable size. */
const limitSize = (size: Size, area: Size): Size => ({
  width: Math.max(minSize.width, Math.min(size.width, area.width)),
  height: Math.max(minSize.height, Math.min(size.height, area.height)),
});

/** Pixels of the title bar that must be on a screen, so that the user can drag the window. */
const minVisiblePx = 100;

const isOnScreen = ({ x, y, width }: Rectangle, area: Rectangle): boolean =>
  x < area.x + area.width - minVisiblePx &&
  x + width > area.x + minVisiblePx &&
  y >= area.y &&
  y < area.y + area.height - minVisiblePx;

const centre = (size: Size, area: Rectangle): Rectangle => ({
  x: area.x + Math.round((area.width - size.width) / 2),
  y: area.y + Math.round((area.height - size.height) / 2),
  ...size,
});

/** How long a page may take to close. */
const timeoutMs = 2000;

/** Dependencies of the window. */
export interface MainWindowOptions {
  createWindow(options: BrowserWindowConstructorOptions): BrowserWindow;
  /** Loads a page; rejects if it does not load. */
  load(window: BrowserWindow, address: string): Promise<void>;
  workAreas(): readonly Rectangle[];
  guard(window: BrowserWindow): void;
  readonly preload: string;
  readonly stateFile: string;
  readonly icon: string;
  /** Handles crashes of the page. */
  watchCrashes(window: BrowserWindow): void;
  /** Whether the close button may close the window; if not, the callee acts instead. */
  mayClose(): boolean;
  /** Called when the window has closed. */
  onClosed(): void;
  /** Called when the window gets the focus. */
  onFocus(): void;
  readonly clock: Clock;
  reportFailure(what: string, error: unknown): void;
}

/** Returns the window options, with the last position and size. */
export function getWindowOptions({
  stateFile,
  workAreas,
  icon,
  preload,
}: Pick<MainWindowOptions, 'stateFile' | 'workAreas' | 'icon' | 'preload'>): {
  state: WindowState;
  options: BrowserWindowConstructorOptions;
} {
  const state = fitToWorkAreas(readWindowState(stateFile), workAreas());
  const options: BrowserWindowConstructorOptions = {
    ...state.bounds,
    minWidth: minSize.width,
    minHeight: minSize.height,
    show: false,
    title: 'Stepwright',
    icon,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  };
  return { state, options };
}

/** The app's only window. Closing it destroys it and frees its memory; engine and tray stay. */
export class MainWindow {
  readonly #options: MainWindowOptions;
  #window: BrowserWindow | undefined;
  /** Closed by the app itself. */
  #isClosing = false;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  /** The open window, to attach dialogs to. */
  get current(): BrowserWindow | undefined {
    return this.#window;
  }

  /** Brings the window to the front, recreated if it was closed; a hash such as `#/runs` selects the view. */
  show(hash = ''): void {
    if (this.#window === undefined) {
      this.#window = this.#create(hash);
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
    // Loading the current address would reload the page and lose typed text.
    if (hash !== '' && !this.#window.webContents.getURL().endsWith(`/index.html${hash}`))
      this.#load(this.#window, hash);
  }

  /**
   * Closes the window regardless of its close button's behavior. Resolves when it has closed; an unresponsive
   * page is only waited for briefly.
   */
  async close(): Promise<void> {
    const window = this.#window;
    if (window === undefined) return;
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()));
    const abort = this.#options.clock.after(timeoutMs, () => window.destroy());
    window.close();
    await closed;
    abort();
  }

  #create(hash: string): BrowserWindow {
    const { createWindow, guard } = this.#options;
    const { state, options } = getWindowOptions(this.#options);
    const window = createWindow(options);
    guard(window);
    window.once('ready-to-show', () => {
      // Not earlier: this reveals a hidden window, which has no content yet.
      if (state.maximized) window.maximize();
      window.show();
    });
    window.on('close', (event) => {
      this.#keepState(window);
      if (!this.#isClosing && !this.#options.mayClose()) event.preventDefault();
    });
    window.on('focus', () => this.#options.onFocus());
    window.once('closed', () => {
      this.#window = undefined;
      this.#isClosing = false;
      this.#options.onClosed();
    });
    this.#options.watchCrashes(window);
    this.#load(window, hash);
    return window;
  }

  #load(window: BrowserWindow, hash: string): void {
    this.#options
      .load(window, `${pageUrl}${hash}`)
      .catch((error: unknown) => this.#options.reportFailure('The page failed to load', error));
  }

  #keepState(window: BrowserWindow): void {
    try {
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      writeWindowState(this.#options.stateFile, state);
    } catch (error) {
      this.#options.reportFailure('Could not save the window position', error);
    }
  }
}
