import { answerQuestions } from '../../../workers/answer-questions.ts';
import { ClerkDesk, type ClerkTask } from './clerk.ts';

const desk = new ClerkDesk();

answerQuestions((task: ClerkTask) => desk.work(task));
