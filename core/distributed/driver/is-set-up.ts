import type { DispatchStore } from '../ports.ts';

/**
 * Whether there has ever been a coordinator, or there is a worker or a token to join by: when all of them are shut down,
 * steps wait for their return. Rejects with `unavailable`.
 */
export async function isSetUp(store: DispatchStore): Promise<boolean> {
  // The first sign of life of a coordinator puts reaping off.
  if ((await store.facts()).reapingFrom > 0) return true;
  const lists = await Promise.all([store.listWorkers(), store.listJoinTokens()]);
  return lists.some(({ length }) => length > 0);
}
