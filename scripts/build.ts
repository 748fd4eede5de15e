import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { clientBuild, writeClientTypes } from './build/client-package.ts';
import { configureNodeBuild, EXTERNAL, NODE_PROGRAMS, writeLaunchers } from './build/node-programs.ts';
import { buildManPage } from './build/man-page.ts';
import { ThirdParty } from './build/third-party.ts';

const ROOT = join(import.meta.dirname, '..');

/** `npm run build`: every bundle into `out/`, in one process. */
async function buildAll(): Promise<void> {
  const others = new ThirdParty();
  for (const program of NODE_PROGRAMS) await build(configureNodeBuild(program, [others.collect()]));
  writeLaunchers();
  mkdirSync(join(ROOT, 'out/man'), { recursive: true });
  writeFileSync(join(ROOT, 'out/man/engine.1'), await buildManPage());
  await build(clientBuild);
  writeClientTypes();
  await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [others.collect()],
    worker: { plugins: () => [others.collect()] },
  });
  // Electron has its own file; its package is not part of the app.
  for (const name of EXTERNAL) if (name !== 'electron') others.addInstalled(name);
  others.write(join(ROOT, 'out/THIRD-PARTY-LICENSES.txt'));
}

await buildAll();
