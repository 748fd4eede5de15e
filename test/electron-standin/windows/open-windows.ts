/** What the application needs to know of a window in order to quit. */
export interface OpenWindow {
  close(): void;
  destroy(): void;
}

/** Every window that has not been closed yet, in order of creation, and the one with the focus. */
class OpenWindows {
  readonly #windows = new Set<OpenWindow>();
  #focused: OpenWindow | undefined;
  #onLastGone: () => void = () => undefined;

  get focused(): OpenWindow | undefined {
    return this.#focused;
  }

  list(): OpenWindow[] {
    return [...this.#windows];
  }

  add(window: OpenWindow): void {
    this.#windows.add(window);
  }

  /** Forgets a closed window and tells the application when it was the last one. */
  remove(window: OpenWindow): void {
    if (!this.#windows.delete(window)) return;
    if (this.#focused === window) this.#focused = undefined;
    if (this.#windows.size === 0) this.#onLastGone();
  }

  /** Moves the focus. @returns the window that had it before */
  moveFocus(window: OpenWindow | undefined): OpenWindow | undefined {
    const before = this.#focused;
    this.#focused = window;
    return before;
  }

  /** The one listener for "the last window is gone". */
  whenLastGone(listener: () => void): void {
    this.#onLastGone = listener;
  }
}

export const openWindows = new OpenWindows();
