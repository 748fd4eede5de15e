import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { openWorkflow } from '../../../core/edit/steps/open-workflow.ts';
import { parseAhead, type EditableText } from '../../../core/edit/yaml/editable-text.ts';

/** Longest text that is read in one go when an edit asks for it. */
const shortText = 32_768;
/** Pause before it: the first picture, and whatever a key has changed, come first. */
const pauseMs = 400;

/** Reads a long text and its steps between other work, so that an edit of it does not hold the window up. */
export class ReadAhead {
  readonly #clock: Clock;
  #cancel: Dispose | undefined;
  #isReading = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads this text, unless another one is being read already, of which it is a later state then. */
  take(editable: EditableText): void {
    if (this.#isReading) return;
    this.close();
    if (editable.text.length > shortText) this.#goOn(readInParts(editable), pauseMs);
  }

  #goOn(parts: Iterator<unknown, void>, delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined;
      this.#isReading = parts.next().done !== true;
      if (this.#isReading) this.#goOn(parts, 0);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isReading = false;
  }
}

function* readInParts(editable: EditableText): Generator<undefined, void> {
  const isParsed = yield* parseAhead(editable);
  yield;
  if (isParsed) openWorkflow(editable);
}
