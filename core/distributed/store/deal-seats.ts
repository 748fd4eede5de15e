import type { WorkerRef } from '../ports.ts';

/** Free capacity of a worker. */
export interface Seat {
  readonly worker: WorkerRef;
  readonly free: number;
}

/** Distributes seats round-robin: each worker gets its first before any gets its second. */
export function dealSeats(group: readonly Seat[]): { readonly worker: WorkerRef }[] {
  const most = Math.max(0, ...group.map(({ free }) => free));
  return Array.from({ length: most }, (_, round) => group.filter(({ free }) => free > round)).flat();
}
