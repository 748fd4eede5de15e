import { AskedWorker } from '../../workers/asked-worker.ts';
import { LastingWorker } from '../../workers/lasting-worker.ts';
import type { Analyst } from './analysis-feed.ts';
import { knownAfter, nothingFound, patchAnalysis, type AnalysisPatch } from './patch/analysis-patch.ts';

/** What the worker is asked. It answers by what differs from the answer before. */
export interface AnalysisQuestion {
  readonly text: string;
  readonly file: string;
}

/** A worker that nobody uses yet. */
let spare: LastingWorker | undefined;

const startWorker = (): LastingWorker =>
  new LastingWorker(() => new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' }));

/** Starts a worker ahead of need: its program is read while that of the editor is. */
export function warmUpAnalyst(): void {
  spare ??= startWorker();
}

/** Starts the worker that looks at texts; the window stays free whatever their size. */
export function startWorkerAnalyst(): Analyst {
  const worker = new AskedWorker<AnalysisQuestion, AnalysisPatch>(spare ?? startWorker());
  spare = undefined;
  let known = nothingFound;
  return {
    async analyze(text, file) {
      const patch = await worker.ask({ text, file });
      const analysis = patchAnalysis(known, patch);
      known = knownAfter(known, analysis);
      return { ...analysis, text };
    },
    dispose: () => worker.dispose(),
  };
}
