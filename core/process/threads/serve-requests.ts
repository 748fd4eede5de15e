// A file of its own: the protocol of both sides, so that a thread does not load what starts threads.
import { parentPort } from 'node:worker_threads';
import { toAppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';

/** Reply of a thread about the current request. */
export type ThreadReply<Response> =
  /** Includes the CPU time that the thread has used so far, in milliseconds. */
  | { readonly kind: 'started'; readonly cpuMs: number }
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'error'; readonly error: ErrorBody };

/** Converts CPU times in microseconds. */
export const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/**
 * Runs the program of a thread of `DeadlineThreads`: handles one request after the other.
 * @param handle if it throws, the request is rejected: an AppError with its code, anything else as `internal_error`
 */
export function serveRequests(handle: (request: never) => unknown): void {
  const port = parentPort!;
  const reply = (message: ThreadReply<unknown>): void => port.postMessage(message);
  port.on('message', (request: unknown) => {
    reply({ kind: 'started', cpuMs: toMs(process.threadCpuUsage()) });
    void Promise.try(handle, request as never).then(
      (response) => reply({ kind: 'response', response }),
      (error: unknown) => reply({ kind: 'error', error: toErrorBody(toAppError(error)) }),
    );
  });
}
