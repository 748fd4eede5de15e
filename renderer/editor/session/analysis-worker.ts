import { analyzeEditable } from '../../../core/edit/analyze.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import type { AnalysisAnswer, AnalysisQuestion } from './worker-analyst.ts';

/** The text of the question before: what stands in it still is not read again. */
let newest: EditableText | undefined;

globalThis.addEventListener('message', ({ data }: MessageEvent<AnalysisQuestion>) => {
  globalThis.postMessage(answer(data));
});

function answer({ id, text, file }: AnalysisQuestion): AnalysisAnswer {
  try {
    newest = readEditable(text, newest);
    const { text: _, ...analysis } = analyzeEditable(newest, file);
    return { id, analysis };
  } catch (failure) {
    return { id, failure: String(failure) };
  }
}
