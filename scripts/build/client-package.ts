import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { operations, streams } from '../../core/contract/operations.ts';
import { buildClientTypes } from './client-types.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Of the table of operations the client needs no more than where they are; the shapes, and the library they are
 * made with, would be nine tenths of the module.
 */
const onlyRoutes = (): Plugin => ({
  name: 'only-routes',
  load: {
    filter: { id: /[\\/]core[\\/]contract[\\/]operations\.ts$/ },
    handler: () =>
      `export const operations = ${formatRoutes(operations)};\nexport const streams = ${formatRoutes(streams)};`,
  },
});

const formatRoutes = (
  table: Readonly<Record<string, { readonly method?: string; readonly path: string }>>,
): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(table).map(([name, { method, path }]) => [name, { method, path }])),
  );

/** The client that scripts import as `stepwright/client`: one module without imports, for Node and browsers alike. */
export const clientBuild: InlineConfig = {
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [onlyRoutes()],
  build: {
    outDir: 'out/client',
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    sourcemap: false,
    lib: { entry: join(ROOT, 'core/client/index.ts'), formats: ['es'], fileName: () => 'index.js' },
  },
};

/** Puts its types beside it. */
export const placeClientTypes = (): void =>
  writeFileSync(join(ROOT, 'out/client/index.d.ts'), buildClientTypes());
