import { ensureBrowser } from './browser.mjs';
import { ensureContainerEngine } from './container-engine.mjs';
import { ensureNetworks } from './network.mjs';
import { ensureObjectServer } from './object-server.mjs';
import { ensurePostgres } from './postgres.mjs';
import { ensureShells } from './shells.mjs';
import { ensureSshServer } from './ssh-server.mjs';

// Own file: npm test and the global setup of Vitest both call it.
/** Installs the programs and servers that tests work with, one after the other, where they are missing. */
export async function ensureCounterparts() {
  // Tests of the packed app and of the icons open a browser, long before the specs do.
  await ensureBrowser();
  await ensureSshServer();
  await ensureContainerEngine();
  await ensureShells();
  await ensurePostgres();
  await ensureObjectServer();
  await ensureNetworks();
}
