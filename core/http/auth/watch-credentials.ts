import type { FastifyRequest } from 'fastify';
import { findStreamPermissionError } from '../../api/guards/permissions.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toAppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';
import type { StreamName } from '../../contract/operations.ts';

/** Interval of checking the credentials of open streams, in milliseconds. */
export const recheckIntervalMs = 30_000;

/** Ends a stream whose reader has logged out, was deleted or lost its permission. */
export function watchCredentials(
  stream: { readonly name: StreamName; readonly request: FastifyRequest; end(error: ErrorBody): void },
  clock: Clock,
): Dispose {
  const { recheck } = stream.request;
  if (recheck === undefined) return () => {};
  const check = async (): Promise<void> => {
    try {
      const error = findStreamPermissionError(stream.name, await recheck());
      if (error !== undefined) stream.end(toErrorBody(error));
    } catch (error) {
      // Failed attempts from the same address do not affect this reader.
      if (error instanceof AppError && error.code === 'too_many_requests') return;
      stream.end(toErrorBody(toAppError(error)));
    }
  };
  return clock.every(recheckIntervalMs, () => void check());
}
