import { ensureBuilt } from '../../../scripts/setup/built-output.mjs';

/** Vitest global set-up of the projects that start built programs. */
export async function setup(): Promise<void> {
  await ensureBuilt();
}
