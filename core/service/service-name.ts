import { createHash } from 'node:crypto';
import type { ServiceFacts } from './service-facts.ts';

/** What tells the services of several homes apart: nothing for the usual home, a mark made of its path for another. */
export function homeMark({ home, isUsualHome }: Pick<ServiceFacts, 'home' | 'isUsualHome'>): string {
  return isUsualHome ? '' : `-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}
