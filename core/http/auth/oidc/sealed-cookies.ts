import { randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Clock } from '../../../base/clock.ts';

/** Maximum cookie size in browsers. */
const maximumLength = 4000;

/** Settings of the cookies. */
export interface SealedCookieContext {
  readonly basePath: string;
  /** Whether browsers use https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/** Encrypted cookies, which a browser can neither read nor change. The key is lost when the server restarts. */
export class SealedCookies {
  readonly #place: SealedCookieContext;
  readonly #key = randomBytes(32);

  constructor(context: SealedCookieContext) {
    this.#place = context;
  }

  /** Sets a cookie for the specified number of seconds; an oversized value is dropped. */
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

  /** Returns the value of a cookie; undefined if missing, expired or invalid. */
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

  /** Returns the cookie attributes: `lax`, because the provider redirects from another site. */
  #attributes(): CookieSerializeOptions {
    const { basePath, isSecure } = this.#place;
    return { path: `${basePath}/`, httpOnly: true, sameSite: 'lax', secure: isSecure };
  }
}
