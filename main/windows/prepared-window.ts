import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';

/**
 * A window that is made before there is an engine: the process of its page starts, and loads what it is to show, while
 * that is opened.
 */
export class PreparedWindow {
  readonly #create: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  #prepared: BrowserWindow | undefined;
  #begun:
    | { readonly window: BrowserWindow; readonly address: string; readonly loaded: Promise<void> }
    | undefined;

  constructor(create: (options: BrowserWindowConstructorOptions) => BrowserWindow) {
    this.#create = create;
  }

  /** @param address of its page, when that is known already */
  prepare(options: BrowserWindowConstructorOptions, address?: string): void {
    const window = this.#create(options);
    this.#prepared = window;
    if (address === undefined) return;
    const loaded = window.loadURL(address);
    // Whoever takes the window hears of it.
    loaded.catch(() => undefined);
    this.#begun = { window, address, loaded };
  }

  /** The prepared window, once; from then on, and when something has closed it, a new one. */
  take(options: BrowserWindowConstructorOptions): BrowserWindow {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    return prepared === undefined || prepared.isDestroyed() ? this.#create(options) : prepared;
  }

  /** Loads a page, unless the window has begun with it. Rejects when it does not come. */
  load(window: BrowserWindow, address: string): Promise<void> {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun?.window === window && begun.address === address ? begun.loaded : window.loadURL(address);
  }
}
