import type { DispatchStore } from '../ports.ts';

/**
 * Whether a coordinator has ever run, or a worker or join token exists. Steps then wait even if all of them are
 * offline. Rejects with `unavailable`.
 */
export async function isSetUp(store: DispatchStore): Promise<boolean> {
  // The first heartbeat of a coordinator postpones reclaiming.
  if ((await store.stats()).reapingFrom > 0) return true;
  const lists = await Promise.all([store.listWorkers(), store.listJoinTokens()]);
  return lists.some(({ length }) => length > 0);
}
