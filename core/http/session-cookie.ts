import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedSession } from '../api/auth/identity.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import type { LoginView } from '../contract/accounts.ts';
import { findPermissionError } from '../api/create-api.ts';
import { AppError, toAppError, toErrorBody, type ErrorBody } from '../base/errors.ts';
import { streams, type StreamName } from '../contract/operations.ts';
import type { Auth } from '../api/auth/auth.ts';
import { shellQuote } from '../base/text.ts';
import type { ResponseListener } from './operation-routes.ts';
import { isLoopbackName } from './origin-guard.ts';

/** Settings of the cookie. */
export interface CookieScope {
  /** Short name of the home, because servers on other ports of a host share its cookies. */
  readonly realm: string;
  /** Path prefix: empty, or for example `/flows`. */
  readonly basePath: string;
  /** Whether browsers use https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/**
 * Session cookie, because event streams in browsers cannot send a header. Not readable by scripts, and not sent by
 * pages of other sites.
 */
export class SessionCookie {
  readonly #scope: CookieScope;
  readonly name: string;

  constructor(scope: CookieScope) {
    this.#scope = scope;
    this.name = `stepwright_${scope.realm}`;
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.name];
  }

  set(reply: FastifyReply, { token, expiresAt }: IssuedSession): void {
    const maxAge = Math.max(0, Math.floor((expiresAt - this.#scope.clock.now()) / 1000));
    void reply.setCookie(this.name, token, { ...this.#attributes(), maxAge });
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(this.name, this.#attributes());
  }

  #attributes() {
    const { basePath, isSecure } = this.#scope;
    return { path: `${basePath}/`, httpOnly: true, sameSite: 'strict', secure: isSecure } as const;
  }
}

/** Sets the session cookie after a login operation, and clears it after a logout. */
export function renewSession(cookie: SessionCookie): ResponseListener {
  return (name, output, reply) => {
    switch (name) {
      case 'auth.login':
      case 'auth.changePassword': {
        const { token, expiresAt } = output as LoginView;
        cookie.set(reply, { token, expiresAt: Date.parse(expiresAt) });
        return;
      }
      case 'auth.logout':
        cookie.clear(reply);
        return;
      default:
    }
  };
}

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
      const error = findPermissionError(stream.name, streams[stream.name], await recheck());
      if (error !== undefined) stream.end(toErrorBody(error));
    } catch (error) {
      // Failed attempts from the same address do not affect this reader.
      if (error instanceof AppError && error.code === 'too_many_requests') return;
      stream.end(toErrorBody(toAppError(error)));
    }
  };
  return clock.every(recheckIntervalMs, () => void check());
}

/** Returns the hints printed at the start of a server with authentication. */
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
