import { analyzeEditable } from '../../../core/edit/analyze.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { diffAnalysis, knownAfter, nothingFound } from './patch/analysis-patch.ts';
import type { AnalysisAnswer, AnalysisQuestion } from './worker-analyst.ts';

/** The text of the question before: what stands in it still is not read again. */
let newest: EditableText | undefined;
/** What the window knows by the answers it has got. */
let known = nothingFound;

globalThis.addEventListener('message', ({ data }: MessageEvent<AnalysisQuestion>) => {
  globalThis.postMessage(answer(data));
});

function answer({ id, text, file }: AnalysisQuestion): AnalysisAnswer {
  try {
    newest = readEditable(text, newest);
    const { text: _, ...analysis } = analyzeEditable(newest, file);
    const patch = diffAnalysis(known, analysis);
    known = knownAfter(known, analysis);
    return { id, patch };
  } catch (failure) {
    return { id, failure: String(failure) };
  }
}
