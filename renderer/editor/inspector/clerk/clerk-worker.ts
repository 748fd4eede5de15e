import { ClerkDesk, type ClerkAnswer, type ClerkQuestion } from './clerk.ts';

const desk = new ClerkDesk();

globalThis.addEventListener('message', ({ data }: MessageEvent<ClerkQuestion>) => {
  globalThis.postMessage(answer(data));
});

function answer({ id, ...task }: ClerkQuestion): ClerkAnswer {
  try {
    return { id, result: desk.work(task) };
  } catch (failure) {
    return { id, failure: String(failure) };
  }
}
