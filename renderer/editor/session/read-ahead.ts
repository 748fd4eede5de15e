import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { parseAhead, type EditableText } from '../../../core/edit/yaml/editable-text.ts';

/** Longest text that is read in one go when the first edit asks for it. */
const shortText = 32_768;

/** Reads a long text between other work, so that the first edit of it does not hold the window up. */
export class ReadAhead {
  readonly #clock: Clock;
  #cancel: Dispose | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isBusy(): boolean {
    return this.#cancel !== undefined;
  }

  /** Reads this text instead of any other. */
  take(editable: EditableText): void {
    this.close();
    if (editable.text.length > shortText) this.#goOn(parseAhead(editable));
  }

  #goOn(parts: Iterator<unknown, void>): void {
    this.#cancel = this.#clock.after(0, () => {
      this.#cancel = undefined;
      if (parts.next().done !== true) this.#goOn(parts);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
