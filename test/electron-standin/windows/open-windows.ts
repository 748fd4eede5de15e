/** Window state needed by the application to quit. */
export interface OpenWindow {
  close(): void;
  destroy(): void;
}

/** Every open window in order of creation, and the focused one. */
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

  /** Removes a closed window and notifies the application if it was the last one. */
  remove(window: OpenWindow): void {
    if (!this.#windows.delete(window)) return;
    if (this.#focused === window) this.#focused = undefined;
    if (this.#windows.size === 0) this.#onLastGone();
  }

  /** Moves the focus. @returns the previously focused window */
  moveFocus(window: OpenWindow | undefined): OpenWindow | undefined {
    const before = this.#focused;
    this.#focused = window;
    return before;
  }

  /** The listener for `window-all-closed`. */
  whenLastGone(listener: () => void): void {
    this.#onLastGone = listener;
  }
}

export const openWindows = new OpenWindows();
