// A file of its own: the route starts the worker before it has loaded the editor.
import { RpcWorker, RestartingRpcWorker } from '../../base/rpc-worker.ts';
import type { DocumentWorker } from './analysis-feed.ts';
import { mergeAnalysis, emptyAnalysis, patchAnalysis, type AnalysisPatch } from './analysis-patch.ts';

/** A request to the worker. It answers with the difference from its previous answer. */
export interface AnalysisQuestion {
  readonly text: string;
  readonly file: string;
}

/** A started worker that is not in use yet. */
let spare: RestartingRpcWorker | undefined;

const startWorker = (): RestartingRpcWorker =>
  new RestartingRpcWorker(
    () => new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' }),
  );

/** Starts a worker in advance, so that its code loads in parallel with the editor's. */
export function warmUpDocumentWorker(): void {
  spare ??= startWorker();
}

/** Starts the worker that analyzes texts, so that the window stays responsive for any size. */
export function startDocumentWorkerThread(): DocumentWorker {
  const worker = new RpcWorker<AnalysisQuestion, AnalysisPatch>(spare ?? startWorker());
  spare = undefined;
  let known = emptyAnalysis;
  return {
    async analyze(text, file) {
      const patch = await worker.ask({ text, file });
      const analysis = patchAnalysis(known, patch);
      known = mergeAnalysis(known, analysis);
      return { ...analysis, text };
    },
    dispose: () => worker.dispose(),
  };
}
