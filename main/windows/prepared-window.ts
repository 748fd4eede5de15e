import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';

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
