import { messageOf, type ErrorBody } from '../base/errors.ts';

/** Describes a missing response; browsers and Node report few details. */
export function describeUnreachable(url: string, reason: unknown): ErrorBody {
  const { origin } = new URL(url);
  const rootCause = findCause(reason);
  const why = messageOf(rootCause).replace(/\.$/, '');
  const message = isDistrusted(rootCause)
    ? `The certificate of ${origin} is not trusted: ${why}. If a private CA issued it, set NODE_EXTRA_CA_CERTS to the file of that CA.`
    : `Cannot reach the engine at ${origin}${why === '' ? '' : `: ${why}`}. Check that it is running.`;
  return { code: 'unavailable', message };
}

/** Returns the actual error: Node reports "fetch failed" with the reason in `cause`. */
function findCause(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at;
}

/** Whether the certificate is untrusted, by the codes of OpenSSL, or Node's own code for a wrong host name. */
const isDistrusted = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && /CERT|VERIFY_LEAF/.test(String(reason.code));
