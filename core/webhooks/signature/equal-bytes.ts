import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares bytes in constant time, independent of content and length. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Returns the index of the first matching secret, or -1. Always checks all, so that the time does not reveal which one
 * matched.
 */
export function findSecret(secrets: readonly string[], matches: (secret: string) => boolean): number {
  let found = -1;
  secrets.forEach((secret, index) => {
    if (matches(secret) && found === -1) found = index;
  });
  return found;
}
