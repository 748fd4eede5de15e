import { Worker } from 'node:worker_threads';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toErrorBody, type ErrorBody, toAppError } from '../../base/errors.ts';
import type { LogMatches } from '../../contract/logs.ts';
import type { StreamObserver } from '../../contract/transport.ts';
import type { LogCharset } from '../../model/workflow-rules.ts';
import { type ScanJob, compileQuery } from './scan-log.ts';
import type { SearchMessage } from './search-thread.ts';
import type { IndexedLog } from './indexed-log.ts';
import { openLog, type OpenLog } from './log-source.ts';

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./search-thread.ts', import.meta.url)
    : new URL('../log-search/thread.cjs', import.meta.url);

/** Most concurrent searches; each has a thread. */
export const maxSearches = 6;
/**
 * Longest time without progress, in milliseconds. A block of a megabyte takes milliseconds; a pattern that needs longer
 * than this for one would never end.
 */
export const maxSilentMs = 5_000;
const heapLimitMb = 128;

/** The running searches. */
export class LogSearches {
  readonly #clock: Clock;
  readonly #ends = new Set<(error: ErrorBody) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws `too_many_requests` when the limit of searches is reached */
  reserve(): void {
    if (this.#ends.size < maxSearches) return;
    throw new AppError(
      'too_many_requests',
      `Limit of ${maxSearches} parallel log searches reached. Try again when one has ended.`,
    );
  }

  /** Searches in a thread until disposed of. */
  start(job: ScanJob, observer: StreamObserver<LogMatches>): Dispose {
    this.reserve();
    const worker = new Worker(threadUrl(), {
      workerData: job,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    worker.unref();
    let reached = job.from;
    const stop = (): void => {
      this.#ends.delete(end);
      stopWatching();
      worker.removeAllListeners();
      // Errors of a terminating thread are ignored; without a listener they would end the engine.
      worker.on('error', () => {});
      void worker.terminate();
    };
    const end = (error?: ErrorBody): void => {
      stop();
      observer.end(error);
    };
    const watch = (): Dispose => this.#clock.after(maxSilentMs, () => end(toErrorBody(tooSlow(reached))));
    let stopWatching = watch();
    this.#ends.add(end);
    worker.on('message', (message: SearchMessage) => {
      stopWatching();
      if (message.kind === 'end') return end(message.error);
      reached = message.found.to;
      stopWatching = watch();
      observer.item(message.found);
    });
    worker.on('error', (error) =>
      end(toErrorBody(new AppError('internal_error', `Log search failed: ${error.message}`))),
    );
    return stop;
  }

  /** Ends all searches with `unavailable`. */
  close(): void {
    const reason = toErrorBody(new AppError('unavailable', 'The engine is stopping.'));
    for (const end of [...this.#ends]) end(reason);
  }
}

const tooSlow = (line: number): AppError =>
  new AppError(
    'bad_request',
    `query: the pattern is too slow after line ${line + 1}; simplify it, especially nested ` +
      'repetitions, or search for plain text',
    { details: { field: 'query' } },
  );

/** Search query, and the range of lines to search. */
export interface LineQuery {
  readonly query: string;
  readonly regex?: boolean;
  readonly matchCase?: boolean;
  /** 0-based. */
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
  /** Most lines to report; further ones are only counted. */
  readonly limit?: number;
  readonly charset?: LogCharset | undefined;
}

interface FileSearch {
  readonly file: string;
  readonly lineQuery: LineQuery & { readonly charset: LogCharset };
  readonly getIndex: (log: OpenLog) => IndexedLog;
  readonly searches: LogSearches;
}

/**
 * Searches a file; a missing file has no matches.
 * @throws `bad_request`, `too_many_requests`
 */
export function searchFile(search: FileSearch, observer: StreamObserver<LogMatches>): Dispose {
  const { query, regex = false, matchCase = false } = search.lineQuery;
  compileQuery({ query, regex, matchCase });
  search.searches.reserve();
  let stop: Dispose | undefined;
  let isStopped = false;
  prepare(search).then(
    (job) => {
      if (isStopped) return;
      try {
        if (job) stop = search.searches.start(job, observer);
        else observer.end();
      } catch (error) {
        observer.end(toErrorBody(toAppError(error)));
      }
    },
    (error: unknown) => {
      if (!isStopped) observer.end(toErrorBody(toAppError(error)));
    },
  );
  return () => {
    isStopped = true;
    stop?.();
  };
}

async function prepare({ file, lineQuery, getIndex }: FileSearch): Promise<ScanJob | undefined> {
  const { query, regex = false, matchCase = false, from = 0, to, limit = 1000, charset } = lineQuery;
  await using log = await openLog(file);
  if (!log) return undefined;
  const indexed = getIndex(log);
  if (from > 0) await indexed.reach(from);
  const pattern = { query, regex, matchCase, charset };
  const start = indexed.index.seek(from);
  return { file, ...pattern, start, end: log.size, from, to: to ?? Number.MAX_SAFE_INTEGER, limit };
}
