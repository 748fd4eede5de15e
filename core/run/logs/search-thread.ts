// A file of its own: the program of a worker thread.
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';
import type { LogMatches } from '../../contract/logs.ts';
import { scanLog, type ScanJob } from './scan-log.ts';

/** Messages of a search thread. */
export type SearchMessage =
  | { readonly kind: 'found'; readonly found: LogMatches }
  | { readonly kind: 'end'; readonly error?: ErrorBody };

/** A thread for one search, so that an expensive pattern can be ended and blocks nothing else. */
const port = parentPort!;
const notify = (message: SearchMessage): void => port.postMessage(message);

try {
  scanLog(workerData as ScanJob, (found) => notify({ kind: 'found', found }));
  notify({ kind: 'end' });
} catch (error) {
  notify({ kind: 'end', error: toErrorBody(toAppError(error)) });
}
