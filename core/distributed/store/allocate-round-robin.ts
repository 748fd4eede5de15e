import type { WorkerRef } from '../ports.ts';

/** Free capacity of a worker. */
export interface WorkerCapacity {
  readonly worker: WorkerRef;
  readonly free: number;
}

/** Distributes seats round-robin: each worker gets its first before any gets its second. */
export function allocateRoundRobin(group: readonly WorkerCapacity[]): { readonly worker: WorkerRef }[] {
  const max = Math.max(0, ...group.map(({ free }) => free));
  return Array.from({ length: max }, (_, round) => group.filter(({ free }) => free > round)).flat();
}
