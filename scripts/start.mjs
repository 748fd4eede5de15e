import { join } from 'node:path';
import { openApp } from './build/app-launcher.cjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { ensureDependencies, ensureElectron } from './setup/dependencies.mjs';
import { NODE_24, ROOT, readNodeEnvironment } from './setup/run-command.mjs';

/** `npm start`: installs and builds what is missing, then opens the app as `stepwright` does. */
await ensureDependencies();
await ensureBuilt();
const found = await ensureElectron();
await openApp({
  electron: found.ready ? { cli: join(ROOT, 'node_modules/electron/cli.js') } : { reason: found.reason },
  args: process.argv.slice(2),
  node: NODE_24,
  env: { ...process.env, ...readNodeEnvironment() },
});
