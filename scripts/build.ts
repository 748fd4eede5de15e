import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { configureNodeBuild, NODE_PROGRAMS } from './build/node-programs.ts';

const ROOT = join(import.meta.dirname, '..');

/** `npm run build`: every bundle into `out/`, in one process. */
async function buildAll(): Promise<void> {
  for (const program of NODE_PROGRAMS) await build(configureNodeBuild(program));
  placeLauncher();
  await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
}

/** `out/cli/engine.js` is `bin.engine` of package.json: a small file that chooses the Node and the compile cache. */
export function placeLauncher(): void {
  const target = join(ROOT, 'out/cli/engine.js');
  mkdirSync(join(ROOT, 'out/cli'), { recursive: true });
  copyFileSync(join(ROOT, 'scripts/build/engine-launcher.mjs'), target);
  chmodSync(target, 0o755);
}

await buildAll();
