import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { openWorkflow } from '../../../core/edit/steps/open-workflow.ts';
import { parseIncrementally, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';

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

/** Analyzes texts; a worker in the window. */
export interface DocumentWorker {
  /** @param file file name with extension, which names the workflow if the text does not */
  analyze(text: string, file: string): Promise<Analysis>;
  dispose(): void;
}

/**
 * Edits within this time after an analysis wait for the end of the pause, so that fast typing is analyzed once.
 */
const analysisPauseMs = 50;

interface FeedPorts {
  readonly clock: Clock;
  readonly documentWorker: DocumentWorker;
  readonly file: string;
  /** Called with every analysis whose text is still the latest. */
  readonly onAnalysis: (analysis: Analysis) => void;
  /** Called when the analyst has failed, which is a bug and not an error in the text. */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Has the latest text analyzed: one analysis at a time, none for an outdated text, and the first edit
 * immediately.
 */
export class AnalysisFeed {
  readonly #ports: FeedPorts;
  #newest: string | undefined;
  /** The text that was analyzed last or is being analyzed. */
  #analyzedText: string | undefined;
  #isBusy = false;
  #cancel: Dispose | undefined;
  #isClosed = false;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** Sets the latest text. @param typed whether more edits are likely to follow immediately */
  take(text: string, typed: boolean): void {
    this.#newest = text;
    const isFirst = this.#cancel === undefined;
    this.#cancel?.();
    this.#cancel = undefined;
    if (typed) this.#pause();
    if (isFirst || !typed) this.#analyzeNext();
  }

  #pause(): void {
    this.#cancel = this.#ports.clock.after(analysisPauseMs, () => {
      this.#cancel = undefined;
      if (this.#newest !== this.#analyzedText) this.#analyzeNext();
    });
  }

  #analyzeNext(): void {
    const text = this.#newest;
    if (this.#isBusy || this.#isClosed || text === undefined) return;
    this.#isBusy = true;
    this.#analyzedText = text;
    const { documentWorker, file, onAnalysis, onFailure } = this.#ports;
    const finish = (report: () => void): void => {
      this.#isBusy = false;
      if (this.#isClosed) return;
      if (text === this.#newest) report();
      // During a pause, its end starts the analysis.
      else if (this.#cancel === undefined) this.#analyzeNext();
    };
    documentWorker.analyze(text, file).then(
      (analysis) => finish(() => onAnalysis(analysis)),
      (failure: unknown) => finish(() => onFailure(failure)),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#ports.documentWorker.dispose();
  }
}
