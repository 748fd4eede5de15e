import type { Auth } from '../../auth/auth.ts';
import { isLoopbackName } from '../origin-guard.ts';

/** What a server that asks for credentials should say when it starts. */
export function listAdvice(
  auth: Auth,
  place: { readonly host: string; readonly isSecure: boolean },
): readonly string[] {
  const advice: string[] = [];
  if (auth.needsSetup) {
    advice.push(
      'nobody can log in yet: make the first user on this machine with "engine users create NAME --role admin"',
    );
  }
  if (auth.isRequired && !place.isSecure && !isLoopbackName(place.host)) {
    advice.push(
      'passwords and tokens come over the network unprotected: set server.tls.certFile and server.tls.keyFile, or put a proxy with https before this server and set server.publicUrl',
    );
  }
  return advice;
}
