import { join } from 'node:path';
import { build } from 'vite';
import { clientBuild, placeClientTypes } from './build/client-package.ts';
import { configureNodeBuild, NODE_PROGRAMS } from './build/node-programs.ts';
import { placeLauncher } from './build/place-launcher.ts';

/** `npm run build`: every bundle into `out/`, in one process. */
async function buildAll(): Promise<void> {
  for (const program of NODE_PROGRAMS) await build(configureNodeBuild(program));
  placeLauncher();
  await build(clientBuild);
  placeClientTypes();
  await build({ configFile: join(import.meta.dirname, '../vite.config.ts'), logLevel: 'warn' });
}

await buildAll();
