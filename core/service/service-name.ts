import { createHash } from 'node:crypto';
import type { ServiceInfo } from './service-info.ts';

/** Returns the name suffix of a home's service: empty for the default home, otherwise a hash of its path. */
export function homeSuffix({ home, isUsualHome }: Pick<ServiceInfo, 'home' | 'isUsualHome'>): string {
  return isUsualHome ? '' : `-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}
