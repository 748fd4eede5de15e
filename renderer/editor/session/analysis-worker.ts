// A file of its own: the program of a worker.
import { handleRequests } from '../../base/rpc-worker.ts';
import { AnalysisPatcher } from './analysis-patcher.ts';
import type { AnalysisQuestion } from './document-worker.ts';

let maker: AnalysisPatcher | undefined;

handleRequests(({ text, file }: AnalysisQuestion) => {
  // A worker analyzes one file.
  maker ??= new AnalysisPatcher(file);
  return maker.make(text);
});
