import { parentPort } from 'node:worker_threads';
import { getErrorMessage } from '../../base/errors.ts';
import { guessPronoun } from './guess-pronoun.ts';
import type { PronounAnswer, PronounQuestion } from './pronoun-question.ts';

/** A worker thread, because loading the library would block the engine for too long. */
const port = parentPort!;

port.on('message', ({ id, name }: PronounQuestion) => {
  let answer: PronounAnswer;
  try {
    answer = { id, pronoun: guessPronoun(name) };
  } catch (error) {
    answer = { id, fault: getErrorMessage(error) };
  }
  port.postMessage(answer);
});
