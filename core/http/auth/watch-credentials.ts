import type { FastifyRequest } from 'fastify';
import { findStreamRefusal } from '../../api/guards/permissions.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toAppError, toErrorBody, type ErrorBody } from '../../base/errors.ts';
import type { StreamName } from '../../contract/operations.ts';

/** How often the credentials of an open stream are looked at again, milliseconds. */
export const recheckMs = 30_000;

/** Ends a stream whose reader has logged out, has been removed or may not read it any more. */
export function watchCredentials(
  stream: { readonly name: StreamName; readonly request: FastifyRequest; end(error: ErrorBody): void },
  clock: Clock,
): Dispose {
  const { recheck } = stream.request;
  if (recheck === undefined) return () => {};
  const look = async (): Promise<void> => {
    try {
      const refusal = findStreamRefusal(stream.name, await recheck());
      if (refusal !== undefined) stream.end(toErrorBody(refusal));
    } catch (thrown) {
      // Somebody else's wrong passwords say nothing of this reader.
      if (thrown instanceof AppError && thrown.code === 'too_many_requests') return;
      stream.end(toErrorBody(toAppError(thrown)));
    }
  };
  return clock.every(recheckMs, () => void look());
}
