import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedSession } from '../../auth/identity.ts';
import type { Clock } from '../../base/clock.ts';

/** What the cookie depends on. */
export interface CookiePlace {
  /** Short name of the home; servers on other ports of a host share its cookies. */
  readonly realm: string;
  /** Before every path: empty, or such as `/flows`. */
  readonly basePath: string;
  /** Whether browsers reach the server over https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/**
 * The session in a browser, where streams of events cannot send a header. No script reads the cookie, and no page of
 * another site makes the browser send it.
 */
export class SessionCookie {
  readonly #place: CookiePlace;
  readonly name: string;

  constructor(place: CookiePlace) {
    this.#place = place;
    this.name = `stepwright_${place.realm}`;
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.name];
  }

  set(reply: FastifyReply, { token, expiresAt }: IssuedSession): void {
    const maxAge = Math.max(0, Math.floor((expiresAt - this.#place.clock.now()) / 1000));
    void reply.setCookie(this.name, token, { ...this.#attributes(), maxAge });
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(this.name, this.#attributes());
  }

  #attributes() {
    const { basePath, isSecure } = this.#place;
    return { path: `${basePath}/`, httpOnly: true, sameSite: 'strict', secure: isSecure } as const;
  }
}
