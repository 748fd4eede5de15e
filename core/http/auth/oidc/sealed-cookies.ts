import { randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../../base/clock.ts';

/** Browsers keep no more of a cookie. */
const maximumLength = 4000;

/** What the cookies depend on. */
export interface SealedPlace {
  readonly basePath: string;
  /** Whether browsers reach the server over https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/**
 * What a browser keeps for this process of the server and can neither read nor change. A server that starts again
 * finds nothing in them.
 */
export class SealedCookies {
  readonly #place: SealedPlace;
  readonly #key = randomBytes(32);

  constructor(place: SealedPlace) {
    this.#place = place;
  }

  /** Keeps it for so many seconds; what is too long is not kept. */
  async set(
    reply: FastifyReply,
    name: string,
    { content, maxAge }: { readonly content: object; readonly maxAge: number },
  ): Promise<void> {
    const ends = new Date(this.#place.clock.now() + maxAge * 1000);
    const sealed = await new EncryptJWT({ content })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(name)
      .setExpirationTime(ends)
      .encrypt(this.#key);
    if (sealed.length <= maximumLength) void reply.setCookie(name, sealed, { ...this.#attributes(), maxAge });
  }

  /** What is kept under the name; undefined when there is nothing, or it has ended or been tampered with. */
  async read(request: FastifyRequest, name: string): Promise<unknown> {
    const sealed = request.cookies[name];
    if (sealed === undefined) return undefined;
    try {
      const currentDate = new Date(this.#place.clock.now());
      const { payload } = await jwtDecrypt(sealed, this.#key, { audience: name, currentDate });
      return payload['content'];
    } catch {
      return undefined;
    }
  }

  clear(reply: FastifyReply, name: string): void {
    void reply.clearCookie(name, this.#attributes());
  }

  /** `lax`: the provider's site is another one, and sends the browser back to this. */
  #attributes(): CookieSerializeOptions {
    const { basePath, isSecure } = this.#place;
    return { path: `${basePath}/`, httpOnly: true, sameSite: 'lax', secure: isSecure };
  }
}
