import { handleRequests } from '../../workers/handle-requests.ts';
import { AnalysisPatcher } from './patch/patch-maker.ts';
import type { AnalysisQuestion } from './document-worker.ts';

let maker: AnalysisPatcher | undefined;

handleRequests(({ text, file }: AnalysisQuestion) => {
  // A worker analyzes one file.
  maker ??= new AnalysisPatcher(file);
  return maker.make(text);
});
