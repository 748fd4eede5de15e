import { messageOf, type ErrorBody } from '../base/errors.ts';

/** What it means that there was no reply from an address; browsers and Node tell little of why. */
export function describeUnreachable(url: string, reason: unknown): ErrorBody {
  const { origin } = new URL(url);
  const found = findReason(reason);
  const why = messageOf(found).replace(/\.$/, '');
  const message = isDistrusted(found)
    ? `The certificate of ${origin} is not trusted: ${why}. When an authority of your own has signed it, NODE_EXTRA_CA_CERTS names the file with that authority.`
    : `The engine at ${origin} cannot be reached${why === '' ? '' : `: ${why}`}. Is it running?`;
  return { code: 'unavailable', message };
}

/** Node says "fetch failed" and has the reason in `cause`. */
function findReason(thrown: unknown): unknown {
  let at = thrown;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at;
}

/** By the codes that Node has for certificates: that of OpenSSL, or its own for one of another name. */
const isDistrusted = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && /CERT|VERIFY_LEAF/.test(String(reason.code));
