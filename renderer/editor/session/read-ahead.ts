import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { openWorkflow } from '../../../core/edit/steps/open-workflow.ts';
import { parseIncrementally, type EditableText } from '../../../core/edit/yaml/editable-text.ts';

/** Longest text that is parsed synchronously when an edit needs it. */
const shortText = 32_768;
/** Delay before parsing, so that the first render and pending edits come first. */
const pauseMs = 400;

/** Parses a long text and its steps in idle time, so that an edit does not block the window. */
export class ReadAhead {
  readonly #clock: Clock;
  #cancel: Dispose | undefined;
  #isReading = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Parses this text, unless another version is already being parsed. */
  take(editable: EditableText): void {
    if (this.#isReading) return;
    this.close();
    if (editable.text.length > shortText) this.#goOn(readInParts(editable), pauseMs);
  }

  #goOn(work: Iterator<unknown, void>, delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined;
      this.#isReading = work.next().done !== true;
      if (this.#isReading) this.#goOn(work, 0);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isReading = false;
  }
}

function* readInParts(editable: EditableText): Generator<undefined, void> {
  const isParsed = yield* parseIncrementally(editable);
  yield;
  if (isParsed) openWorkflow(editable);
}
