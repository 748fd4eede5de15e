import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import type { Clock } from '../../core/base/clock.ts';
import { pageUrl } from './app-scheme.ts';
import {
  fitToWorkAreas,
  readWindowState,
  minSize,
  writeWindowState,
  type WindowState,
} from './window-state.ts';

/** How long a page may take to close. */
const timeoutMs = 2000;

/** Dependencies of the window. */
export interface MainWindowDeps {
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
export function describeWindow({
  stateFile,
  workAreas,
  icon,
  preload,
}: Pick<MainWindowDeps, 'stateFile' | 'workAreas' | 'icon' | 'preload'>): {
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
  readonly #deps: MainWindowDeps;
  #window: BrowserWindow | undefined;
  /** Closed by the app itself. */
  #isClosing = false;

  constructor(deps: MainWindowDeps) {
    this.#deps = deps;
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
    const abort = this.#deps.clock.after(timeoutMs, () => window.destroy());
    window.close();
    await closed;
    abort();
  }

  #create(hash: string): BrowserWindow {
    const { createWindow, guard } = this.#deps;
    const { state, options } = describeWindow(this.#deps);
    const window = createWindow(options);
    guard(window);
    window.once('ready-to-show', () => {
      // Not earlier: this shows a hidden window, which has no content yet.
      if (state.maximized) window.maximize();
      window.show();
    });
    window.on('close', (event) => {
      this.#keepState(window);
      if (!this.#isClosing && !this.#deps.mayClose()) event.preventDefault();
    });
    window.on('focus', () => this.#deps.onFocus());
    window.once('closed', () => {
      this.#window = undefined;
      this.#isClosing = false;
      this.#deps.onClosed();
    });
    this.#deps.watchCrashes(window);
    this.#load(window, hash);
    return window;
  }

  #load(window: BrowserWindow, hash: string): void {
    this.#deps
      .load(window, `${pageUrl}${hash}`)
      .catch((error: unknown) => this.#deps.reportFailure('The page failed to load', error));
  }

  #keepState(window: BrowserWindow): void {
    try {
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      writeWindowState(this.#deps.stateFile, state);
    } catch (error) {
      this.#deps.reportFailure('Could not save the window position', error);
    }
  }
}
