import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { appOrigin } from './app-scheme.ts';
import { fitToScreens, readWindowState, writeWindowState } from './window-state.ts';

/** What the window needs of Electron and of the installation. */
export interface MainWindowParts {
  createWindow(options: BrowserWindowConstructorOptions): BrowserWindow;
  workAreas(): readonly Rectangle[];
  guard(window: BrowserWindow): void;
  readonly preload: string;
  readonly stateFile: string;
  readonly icon: string;
}

/** The app's one window. Closing it destroys it and frees its memory; engine and tray stay (DESIGN 7). */
export class MainWindow {
  readonly #parts: MainWindowParts;
  #window: BrowserWindow | undefined;

  constructor(parts: MainWindowParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#window !== undefined;
  }

  /** The window to attach a dialog to, when it is open. */
  get current(): BrowserWindow | undefined {
    return this.#window;
  }

  /** Brings the window to the front, made anew when it was closed; a hash such as `#/runs` says where to. */
  show(hash = ''): void {
    if (this.#window === undefined) {
      this.#window = this.#create(hash);
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
    if (hash !== '') void this.#window.loadURL(`${appOrigin}/index.html${hash}`);
  }

  #create(hash: string): BrowserWindow {
    const { createWindow, preload, stateFile, workAreas, guard, icon } = this.#parts;
    const state = fitToScreens(readWindowState(stateFile), workAreas());
    const window = createWindow({
      ...state.bounds,
      minWidth: 720,
      minHeight: 480,
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
    });
    guard(window);
    if (state.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', () =>
      writeWindowState(stateFile, { bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
    );
    window.once('closed', () => {
      this.#window = undefined;
    });
    window.webContents.on('render-process-gone', () => window.webContents.reload());
    void window.loadURL(`${appOrigin}/index.html${hash}`);
    return window;
  }
}
