import { handleRequests } from '../../workers/handle-requests.ts';
import { PatchMaker } from './patch/patch-maker.ts';
import type { AnalysisQuestion } from './document-worker.ts';

let maker: PatchMaker | undefined;

handleRequests(({ text, file }: AnalysisQuestion) => {
  // A worker analyzes one file.
  maker ??= new PatchMaker(file);
  return maker.make(text);
});
