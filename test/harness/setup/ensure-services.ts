import { ensureTestServices } from '../../../scripts/setup/test-environment.mjs';

/** Vitest global setup of projects that need real servers and programs: installs missing ones. */
export async function setup(): Promise<void> {
  await ensureTestServices();
}
