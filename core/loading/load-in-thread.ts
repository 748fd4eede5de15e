import type { AppError } from '../base/errors.ts';
import { systemClock } from '../system-clock.ts';
import { DeadlineError, DeadlineThreads } from '../threads/deadline-threads.ts';
import { loadText, type LoadedText, type TextToLoad } from './load-texts.ts';
import type { LoadReply } from './load-thread.ts';

/** Texts up to this length are loaded on the calling thread, in at most some 50 milliseconds. */
const MAX_INLINE_LENGTH = 16 * 1024;

/** For a check, which everybody may ask for. */
const CHECK_TIMEOUT_MS = 2000;

/** For a file or a start: 10,000 steps, which a file may have, need up to three seconds on a slow machine. */
const LOAD_TIMEOUT_MS = 10_000;

/** A file of 4 MiB that is all punctuation needs about 700 MB. */
const HEAP_LIMIT_MB = 1024;

/** Who waits: `check` for texts that are only checked, of which few may wait, so that nobody's checks delay a start. */
export type LoadPurpose = 'check' | 'load';

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const program = import.meta.url.endsWith('.ts')
  ? new URL('./load-thread.ts', import.meta.url)
  : new URL('../loading/thread.cjs', import.meta.url);

const openThreads = (timeoutMs: number, maxWaiting: number): DeadlineThreads<TextToLoad, LoadReply> =>
  new DeadlineThreads({
    task: 'Checking this file',
    remedy: 'Split it into sub-workflows, or move data out of it.',
    program,
    clock: systemClock,
    timeoutMs,
    heapLimitMb: HEAP_LIMIT_MB,
    size: 1,
    maxWaiting,
  });

/** Of the process: threads cost nothing until the first large text, and end when they have been idle. */
const threads: Readonly<Record<LoadPurpose, DeadlineThreads<TextToLoad, LoadReply>>> = {
  check: openThreads(CHECK_TIMEOUT_MS, 4),
  load: openThreads(LOAD_TIMEOUT_MS, 1000),
};

/** Whether texts are to be loaded in a thread, since they may take long. */
export const isLarge = (...texts: readonly (string | undefined)[]): boolean =>
  texts.reduce((length, text) => length + (text?.length ?? 0), 0) > MAX_INLINE_LENGTH;

/**
 * Loads a text without holding up the event loop: a large one in a thread that is ended after some seconds. A text
 * that takes longer has one error, which says so.
 * @throws `too_many_requests` when too many texts wait
 */
export async function loadInThread(request: TextToLoad, purpose: LoadPurpose = 'load'): Promise<LoadedText> {
  if (!isLarge(request.text, request.base?.text)) return loadText(request);
  try {
    const reply = await threads[purpose].run(request);
    return 'json' in reply ? (JSON.parse(reply.json) as LoadedText) : reply.value;
  } catch (thrown) {
    if (!(thrown instanceof DeadlineError)) throw thrown;
    return {
      workflows: [],
      diagnostics: [faulty(thrown, request.file)],
      baseDiagnostics: [],
      hasBase: false,
    };
  }
}

const faulty = ({ message }: AppError, file = ''): LoadedText['diagnostics'][number] => ({
  severity: 'error',
  message,
  file,
  line: 1,
  column: 1,
  path: '',
});
