import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { EditResult } from '../../../core/edit/text-change.ts';
import { RestartingRpcWorker, RpcWorker } from '../../base/rpc-worker.ts';
import { emptyAnalysis, mergeAnalysis, patchAnalysis } from './analysis-patch.ts';
import type {
  DocumentAnswer,
  DocumentAnswers,
  DocumentQuery,
  DocumentQuestion,
  TextVersion,
} from './workflow-document.ts';

/** Answers questions in order: the worker of {@link WorkflowDocument}. */
export type DocumentWorker = Pick<RpcWorker<DocumentQuestion, DocumentAnswer>, 'ask' | 'dispose'>;

/** A started worker that is not in use yet. */
let spare: RestartingRpcWorker | undefined;

const startThread = (): RestartingRpcWorker =>
  new RestartingRpcWorker(
    () => new Worker(new URL('./document-thread.ts', import.meta.url), { type: 'module' }),
  );

/** Starts a worker in advance, so that its code loads in parallel with the editor's. */
export function warmUpDocumentWorker(): void {
  spare ??= startThread();
}

/** Starts the worker that owns the parsed text, so that the window stays responsive for any size. */
export function startDocumentWorker(): DocumentWorker {
  const worker = new RpcWorker<DocumentQuestion, DocumentAnswer>(spare ?? startThread());
  spare = undefined;
  return worker;
}

/** Versions within this time after an analysis wait for its end, so that fast typing is analyzed once. */
const analysisPauseMs = 50;

interface ClientPorts {
  readonly clock: Clock;
  readonly worker: DocumentWorker;
  readonly file: string;
  readonly kind: TextVersion['kind'];
  /** Called with every analysis whose version is still the latest. */
  readonly onAnalysis: (analysis: Analysis) => void;
  /** Called when the analysis has failed, which is a bug and not an error in the text. */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Sends the latest version of the text to its worker. It has one analysis at a time, none of an outdated version, and
 * one of the first edit immediately.
 */
export class DocumentClient {
  readonly #ports: ClientPorts;
  #latest: TextVersion;
  /** The version that was analyzed last or is being analyzed. */
  #analyzed = 0;
  /** What the worker's next patch is based on. */
  #known = emptyAnalysis;
  #isBusy = false;
  #pause: Dispose | undefined;
  #isClosed = false;

  constructor(text: string, ports: ClientPorts) {
    const { file, kind } = ports;
    this.#ports = ports;
    this.#latest = { version: 1, text, file, kind };
    this.#analyzeNext();
  }

  /** Sets the latest text. @param isTyped whether more edits are likely to follow immediately */
  setText(text: string, isTyped: boolean): void {
    this.#latest = { ...this.#latest, version: this.#latest.version + 1, text };
    const isFirst = this.#pause === undefined;
    this.#pause?.();
    this.#pause = isTyped ? this.#startPause() : undefined;
    if (isFirst || !isTyped) this.#analyzeNext();
  }

  #startPause(): Dispose {
    return this.#ports.clock.after(analysisPauseMs, () => {
      this.#pause = undefined;
      this.#analyzeNext();
    });
  }

  #analyzeNext(): void {
    const { version, text } = this.#latest;
    if (this.#isBusy || this.#isClosed || version === this.#analyzed) return;
    this.#isBusy = true;
    this.#analyzed = version;
    const finish = (report: () => void): void => {
      this.#isBusy = false;
      if (this.#isClosed) return;
      if (version === this.#latest.version) report();
      // During a pause, its end starts the analysis.
      else if (this.#pause === undefined) this.#analyzeNext();
    };
    const { onAnalysis, onFailure } = this.#ports;
    this.ask({ kind: 'analysis' }).then(
      (patch) => {
        // The worker has it too, whether or not the version is still the latest.
        const analysis = patchAnalysis(this.#known, patch);
        this.#known = mergeAnalysis(this.#known, analysis);
        finish(() => onAnalysis({ ...analysis, text }));
      },
      (failure: unknown) => finish(() => onFailure(failure)),
    );
  }

  /** Asks about the latest version. Rejects if the worker fails, which is a bug, or is closed. */
  ask<Kind extends DocumentQuery['kind']>(
    query: Extract<DocumentQuery, { kind: Kind }>,
  ): Promise<DocumentAnswers[Kind]> {
    return this.#ports.worker.ask({ ...this.#latest, query }) as Promise<DocumentAnswers[Kind]>;
  }

  /** Computes an edit of the latest version: again if the text has changed meanwhile. */
  async computeEdit(request: EditRequest): Promise<EditResult> {
    for (;;) {
      const { version } = this.#latest;
      const result = await this.ask({ kind: 'edit', request });
      if (version === this.#latest.version) return result;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#pause?.();
    this.#ports.worker.dispose();
  }
}
