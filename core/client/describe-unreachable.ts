import { messageOf, type ErrorBody } from '../base/errors.ts';

/** What it means that there was no reply from an address; browsers and Node tell little of why. */
export function describeUnreachable(url: string, reason: unknown): ErrorBody {
  const { origin } = new URL(url);
  const why = findReason(reason);
  return {
    code: 'unavailable',
    message: `The engine at ${origin} cannot be reached${why === '' ? '' : `: ${why}`}. Is it running?`,
  };
}

/** Node says "fetch failed" and has the reason in `cause`. */
function findReason(thrown: unknown): string {
  let at = thrown;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
  return messageOf(at).replace(/\.$/, '');
}
