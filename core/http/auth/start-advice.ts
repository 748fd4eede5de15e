import type { Auth } from '../../auth/auth.ts';
import { quoteForShell } from '../../base/text/quote-for-shell.ts';
import { isLoopbackName } from '../origin-guard.ts';

/** What a server that asks for credentials should say when it starts. */
export function listAdvice(
  auth: Auth,
  place: { readonly host: string; readonly isSecure: boolean },
): readonly string[] {
  const advice: string[] = [];
  if (auth.needsSetup) {
    // Whoever types it elsewhere may have another home, or none in the environment.
    const command = `engine users create NAME --role admin --engine-home ${quoteForShell(auth.home)}`;
    advice.push(`nobody can log in yet: make the first user on this machine with: ${command}`);
  }
  if (auth.isRequired && !place.isSecure && !isLoopbackName(place.host)) {
    advice.push(
      'passwords and tokens come over the network unprotected: set server.tls.certFile and server.tls.keyFile, or put a proxy with https before this server and set server.publicUrl',
    );
  }
  return advice;
}
