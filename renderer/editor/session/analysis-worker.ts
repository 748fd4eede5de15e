import { PatchMaker } from './patch/patch-maker.ts';
import type { AnalysisAnswer, AnalysisQuestion } from './worker-analyst.ts';

let maker: PatchMaker | undefined;

globalThis.addEventListener('message', ({ data }: MessageEvent<AnalysisQuestion>) => {
  globalThis.postMessage(answer(data));
});

function answer({ id, text, file }: AnalysisQuestion): AnalysisAnswer {
  try {
    // A worker is asked about one file.
    maker ??= new PatchMaker(file);
    return { id, patch: maker.make(text) };
  } catch (failure) {
    return { id, failure: String(failure) };
  }
}
