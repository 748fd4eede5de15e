import { ensureBrowser } from './browser.mjs';
import { ensureContainerEngine } from './container-engine.mjs';
import { ensureNetworks } from './network.mjs';
import { ensureObjectServer } from './object-server.mjs';
import { ensurePostgres } from './postgres.mjs';
import { ensureShells } from './shells.mjs';
import { ensureSshServer } from './ssh-server.mjs';

// A separate file, because npm test and the global setup of Vitest both call it.
/** Installs missing programs and servers that the tests use, one after the other. */
export async function ensureTestServices() {
  // Tests of the packaged app and of the icons open a browser long before the specs do.
  await ensureBrowser();
  await ensureSshServer();
  await ensureContainerEngine();
  await ensureShells();
  await ensurePostgres();
  await ensureObjectServer();
  await ensureNetworks();
}
