import type { WorkerRef } from '../ports.ts';

/** Room at a worker. */
export interface Seat {
  readonly worker: WorkerRef;
  readonly free: number;
}

/** One seat after the other, in turn: each worker gets its first before any gets its second. */
export function dealSeats(group: readonly Seat[]): { readonly worker: WorkerRef }[] {
  const most = Math.max(0, ...group.map(({ free }) => free));
  return Array.from({ length: most }, (_, round) => group.filter(({ free }) => free > round)).flat();
}
