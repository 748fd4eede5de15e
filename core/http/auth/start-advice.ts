import type { Auth } from '../../auth/auth.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { isLoopbackName } from '../origin-guard.ts';

/** Returns hints to show at the start of a server with authentication. */
export function listAdvice(
  auth: Auth,
  place: { readonly host: string; readonly isSecure: boolean },
): readonly string[] {
  const advice: string[] = [];
  if (auth.needsSetup) {
    // Another shell may have another home in its environment.
    const command = `engine users create NAME --role admin --engine-home ${shellQuote(auth.home)}`;
    advice.push(`no users yet; create the first on this machine: ${command}`);
  }
  if (auth.isRequired && !place.isSecure && !isLoopbackName(place.host)) {
    advice.push(
      'passwords and tokens are sent unencrypted; set server.tls.certFile and server.tls.keyFile, or use an HTTPS proxy and set server.publicUrl',
    );
  }
  return advice;
}
