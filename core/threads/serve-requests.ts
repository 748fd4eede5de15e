// Own file: the contract of two programs, which a thread loads without what starts threads.
import { parentPort } from 'node:worker_threads';
import { toAppError, toErrorBody, type ErrorBody } from '../base/errors.ts';

/** What a thread says of the request that it works on. */
export type ThreadReply<Response> =
  /** With the processor time that the thread has used so far, in milliseconds. */
  | { readonly kind: 'started'; readonly cpuMs: number }
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'error'; readonly error: ErrorBody };

/** Of times in microseconds. */
export const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/**
 * The program of a thread of `DeadlineThreads`: answers one request after the other.
 * @param handle what it throws rejects the request: an AppError with its code, anything else as `internal_error`
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
