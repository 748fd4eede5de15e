import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two strings in constant time, independent of content and length. */
export const timingSafeEqualStrings = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));
