import { ensureCounterparts } from '../../scripts/setup/counterparts.mjs';

/** Vitest global set-up of the projects that work with real servers and programs: installs the missing ones. */
export async function setup(): Promise<void> {
  await ensureCounterparts();
}
