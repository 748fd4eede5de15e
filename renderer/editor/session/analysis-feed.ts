import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Analysis } from '../../../core/edit/analysis.ts';

/** Who looks at a text; a worker in the window. */
export interface Analyst {
  /** @param file name of the file with its ending, which names the workflow when the text does not */
  analyze(text: string, file: string): Promise<Analysis>;
  dispose(): void;
}

/** What follows a key within this time waits for the end of the pause: what is typed in one go is looked at once. */
const pauseMs = 50;

interface FeedPorts {
  readonly clock: Clock;
  readonly analyst: Analyst;
  readonly file: string;
  /** Gets every analysis of what is still the newest text, and no other. */
  readonly onAnalysis: (analysis: Analysis) => void;
  /** The analyst has failed, which is a defect and no fault of the text. */
  readonly onFailure: (failure: unknown) => void;
}

/** Has the newest text looked at: one at a time, none that is out of date, and the first key of several at once. */
export class AnalysisFeed {
  readonly #ports: FeedPorts;
  #newest: string | undefined;
  /** The text that was looked at last, or is being looked at. */
  #looked: string | undefined;
  #isBusy = false;
  #cancel: Dispose | undefined;
  #isClosed = false;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** Takes the text as the newest. @param typed whether more is likely to follow at once */
  take(text: string, typed: boolean): void {
    this.#newest = text;
    const isFirst = this.#cancel === undefined;
    this.#cancel?.();
    this.#cancel = undefined;
    if (typed) this.#pause();
    if (isFirst || !typed) this.#look();
  }

  #pause(): void {
    this.#cancel = this.#ports.clock.after(pauseMs, () => {
      this.#cancel = undefined;
      if (this.#newest !== this.#looked) this.#look();
    });
  }

  #look(): void {
    const text = this.#newest;
    if (this.#isBusy || this.#isClosed || text === undefined) return;
    this.#isBusy = true;
    this.#looked = text;
    const { analyst, file, onAnalysis, onFailure } = this.#ports;
    const finish = (report: () => void): void => {
      this.#isBusy = false;
      if (this.#isClosed) return;
      if (text === this.#newest) report();
      // With a pause under way the end of that pause looks again.
      else if (this.#cancel === undefined) this.#look();
    };
    analyst.analyze(text, file).then(
      (analysis) => finish(() => onAnalysis(analysis)),
      (failure: unknown) => finish(() => onFailure(failure)),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#ports.analyst.dispose();
  }
}
