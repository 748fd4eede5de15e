import type { Analysis } from '../../../core/edit/analysis.ts';
import type { Analyst } from './analysis-feed.ts';
import { knownAfter, nothingFound, patchAnalysis, type AnalysisPatch } from './patch/analysis-patch.ts';

/** What the worker is asked. */
export interface AnalysisQuestion {
  readonly id: number;
  readonly text: string;
  readonly file: string;
}

/** What it answers. */
export type AnalysisAnswer =
  /** By what it differs from the answer before; the text is that of the question. */
  { readonly id: number; readonly patch: AnalysisPatch } | { readonly id: number; readonly failure: string };

interface Question extends PromiseWithResolvers<Analysis> {
  readonly text: string;
}

/** A worker that nobody uses yet. */
let spare: Worker | undefined;

const startWorker = (): Worker =>
  new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' });

/** Starts a worker ahead of need: its program is read while that of the editor is. */
export function warmUpAnalyst(): void {
  spare ??= startWorker();
}

/** Starts the worker that looks at texts; the window stays free whatever their size. */
export function startWorkerAnalyst(): Analyst {
  const worker = spare ?? startWorker();
  spare = undefined;
  const waiting = new Map<number, Question>();
  let known = nothingFound;
  let asked = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<AnalysisAnswer>) => {
    const question = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) return question?.reject(new Error(data.failure));
    const analysis = patchAnalysis(known, data.patch);
    known = knownAfter(known, analysis);
    question?.resolve({ ...analysis, text: question.text });
  });
  worker.addEventListener('error', (event) => {
    for (const question of waiting.values()) question.reject(new Error(event.message));
    waiting.clear();
  });
  return {
    analyze(text, file) {
      asked += 1;
      const question = { ...Promise.withResolvers<Analysis>(), text };
      waiting.set(asked, question);
      worker.postMessage({ id: asked, text, file } satisfies AnalysisQuestion);
      return question.promise;
    },
    dispose: () => worker.terminate(),
  };
}
