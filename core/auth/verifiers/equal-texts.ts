import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same; takes as long whatever they have in common, and however long they are. */
export const areEqualTexts = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));
