import { answerQuestions } from '../../workers/answer-questions.ts';
import { PatchMaker } from './patch/patch-maker.ts';
import type { AnalysisQuestion } from './worker-analyst.ts';

let maker: PatchMaker | undefined;

answerQuestions(({ text, file }: AnalysisQuestion) => {
  // A worker analyzes one file.
  maker ??= new PatchMaker(file);
  return maker.make(text);
});
