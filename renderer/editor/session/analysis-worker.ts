import { loadSpec } from '../../../core/spec/load.ts';
import type { AnalysisAnswer, AnalysisQuestion } from './worker-analyst.ts';

const analyze = (text: string, file: string) => ({
  text,
  ...loadSpec({ text, file }),
  outline: { documents: [] },
});

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
