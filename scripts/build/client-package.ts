import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { buildClientTypes } from './client-types.ts';
import { routeTable } from './route-table.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The client that scripts import as `stepwright/client`: one module without imports, for Node and browsers. */
export const clientBuild: InlineConfig = {
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [routeTable()],
  build: {
    outDir: 'out/client',
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    sourcemap: false,
    lib: { entry: join(ROOT, 'core/client/index.ts'), formats: ['es'], fileName: () => 'index.js' },
  },
};

/** Writes its types next to it. */
export const writeClientTypes = (): void =>
  writeFileSync(join(ROOT, 'out/client/index.d.ts'), buildClientTypes());
