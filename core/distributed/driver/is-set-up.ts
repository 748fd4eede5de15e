import type { DispatchStore } from '../ports.ts';

/** Whether there has ever been a coordinator, a worker or a token to join by. Rejects with `unavailable`. */
export async function isSetUp(store: DispatchStore): Promise<boolean> {
  const lists = [store.listCoordinators(), store.listWorkers(), store.listJoinTokens()];
  return (await Promise.all(lists)).some(({ length }) => length > 0);
}
