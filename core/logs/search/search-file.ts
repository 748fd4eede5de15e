import type { Dispose } from '../../base/clock.ts';
import { toAppError, toErrorBody } from '../../base/errors.ts';
import type { LogFound } from '../../contract/runs/logs.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import type { LogCharset } from '../../model/workflow/log-charset.ts';
import type { IndexedLog } from '../indexed-log.ts';
import { openLog, type OpenLog } from '../log-source.ts';
import { compileQuery } from './find-columns.ts';
import type { LogSearches } from './log-searches.ts';
import type { ScanJob } from './scan-log.ts';

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
  readonly wanted: LineQuery & { readonly charset: LogCharset };
  readonly indexOf: (log: OpenLog) => IndexedLog;
  readonly searches: LogSearches;
}

/**
 * Searches a file; a missing file has no matches.
 * @throws `bad_request`, `too_many_requests`
 */
export function searchFile(search: FileSearch, observer: StreamObserver<LogFound>): Dispose {
  const { query, regex = false, matchCase = false } = search.wanted;
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

async function prepare({ file, wanted, indexOf }: FileSearch): Promise<ScanJob | undefined> {
  const { query, regex = false, matchCase = false, from = 0, to, limit = 1000, charset } = wanted;
  await using log = await openLog(file);
  if (!log) return undefined;
  const indexed = indexOf(log);
  if (from > 0) await indexed.reach(from);
  const pattern = { query, regex, matchCase, charset };
  const start = indexed.index.seek(from);
  return { file, ...pattern, start, end: log.size, from, to: to ?? Number.MAX_SAFE_INTEGER, limit };
}
