import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares bytes in a time that tells nothing of where they differ, nor of their lengths. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Index of the first secret for which `matches` holds, or -1. All are tried whatever the earlier ones gave, so that
 * the time tells nothing of which it was.
 */
export function findSecret(secrets: readonly string[], matches: (secret: string) => boolean): number {
  let found = -1;
  secrets.forEach((secret, index) => {
    if (matches(secret) && found === -1) found = index;
  });
  return found;
}
