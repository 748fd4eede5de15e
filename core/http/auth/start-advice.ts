import type { Auth } from '../../auth/auth.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { isLoopbackName } from '../origin-guard.ts';

/** Returns hints to show at the start of a server with authentication. */
export function listStartHints(
  auth: Auth,
  binding: { readonly host: string; readonly isSecure: boolean },
): readonly string[] {
  const advice: string[] = [];
  if (auth.needsSetup) {
    // Another shell may have another home in its environment.
    const command = `engine users create NAME --role admin --engine-home ${shellQuote(auth.home)}`;
    advice.push(`no users yet; create the first on this machine: ${command}`);
  }
  if (auth.isRequired && !binding.isSecure && !isLoopbackName(binding.host)) {
    advice.push(
      'passwords and tokens are sent unencrypted; set server.tls.certFile and server.tls.keyFile, or use an HTTPS proxy and set server.publicUrl',
    );
  }
  return advice;
}
