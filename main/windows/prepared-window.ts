import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';

/**
 * A window that is made before the app knows what to show in it: the process of its page starts while the engine is
 * opened.
 */
export class PreparedWindow {
  readonly #create: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  #prepared: BrowserWindow | undefined;

  constructor(create: (options: BrowserWindowConstructorOptions) => BrowserWindow) {
    this.#create = create;
  }

  prepare(options: BrowserWindowConstructorOptions): void {
    this.#prepared = this.#create(options);
  }

  /** The prepared window, once; from then on, and when something has closed it, a new one. */
  take(options: BrowserWindowConstructorOptions): BrowserWindow {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    return prepared === undefined || prepared.isDestroyed() ? this.#create(options) : prepared;
  }
}
