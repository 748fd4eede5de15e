import { analyze } from '../../../core/edit/analyze.ts';
import type { AnalysisAnswer, AnalysisQuestion } from './worker-analyst.ts';

globalThis.addEventListener('message', ({ data }: MessageEvent<AnalysisQuestion>) => {
  globalThis.postMessage(answer(data));
});

function answer({ id, text, file }: AnalysisQuestion): AnalysisAnswer {
  try {
    return { id, analysis: analyze(text, file) };
  } catch (failure) {
    return { id, failure: String(failure) };
  }
}
