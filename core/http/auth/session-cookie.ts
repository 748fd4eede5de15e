import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedSession } from '../../auth/identity.ts';
import type { Clock } from '../../base/clock.ts';

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
