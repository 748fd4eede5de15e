import type { AppError } from '../../base/errors.ts';
import { systemClock } from '../../base/system-clock.ts';
import { DeadlineError, DeadlineThreads } from '../../process/threads/deadline-threads.ts';
import { loadText, type LoadedText, type TextToLoad } from './load-text.ts';
import type { LoadReply } from './load-thread.ts';

/** Sources up to this length are loaded on the calling thread, in at most about 50 milliseconds. */
const MAX_INLINE_LENGTH = 16 * 1024;

/** Timeout for a check, which any caller can request. */
const CHECK_TIMEOUT_MS = 2000;

/** Timeout for a file or a start: the maximum of 10,000 steps takes up to three seconds on a slow machine. */
const LOAD_TIMEOUT_MS = 10_000;

/** A file of 4 MiB that consists of punctuation needs about 700 MB. */
const HEAP_LIMIT_MB = 1024;

/** Purpose of loading: `check` for validation only, with a short queue, so that checks do not delay a start. */
export type LoadPurpose = 'check' | 'load';

/** The thread's source file, or its build next to the engine bundle. */
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

/** Threads of the process, started with the first large source and ended after idling. */
const threads: Readonly<Record<LoadPurpose, DeadlineThreads<TextToLoad, LoadReply>>> = {
  check: openThreads(CHECK_TIMEOUT_MS, 4),
  load: openThreads(LOAD_TIMEOUT_MS, 1000),
};

/** Whether sources must be loaded in a thread, because they may take long. */
export const isLarge = (...texts: readonly (string | undefined)[]): boolean =>
  texts.reduce((length, text) => length + (text?.length ?? 0), 0) > MAX_INLINE_LENGTH;

/**
 * Loads a source without blocking the event loop: a large one in a thread that is terminated after some seconds. After
 * a timeout, the result is a single error about it.
 * @throws `too_many_requests` if too many sources are queued
 */
export async function loadInThread(request: TextToLoad, purpose: LoadPurpose = 'load'): Promise<LoadedText> {
  if (!isLarge(request.text, request.base?.text)) return loadText(request);
  try {
    const reply = await threads[purpose].run(request);
    return 'json' in reply ? (JSON.parse(reply.json) as LoadedText) : reply.value;
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    return {
      workflows: [],
      diagnostics: [toErrorDiagnostic(error, request.file)],
      baseDiagnostics: [],
      hasBase: false,
    };
  }
}

const toErrorDiagnostic = ({ message }: AppError, file = ''): LoadedText['diagnostics'][number] => ({
  severity: 'error',
  message,
  file,
  line: 1,
  column: 1,
  path: '',
});
