import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Plugin } from 'vite';
import packageJson from '../../package.json' with { type: 'json' };

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/stepwright-embedded');

/**
 * Writes an empty data directory of the embedded database next to its thread, which copies it: creating one
 * takes PostgreSQL seconds (core/gateway/database/embedded/data-directory.ts).
 */
export const emptyDatabasePlugin = (): Plugin => ({
  name: 'stepwright:empty-database',
  // Vite omits files of earlier plugins from Node bundles.
  enforce: 'post',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'empty.tar.gz', source: await readEmptyDatabase() });
  },
});

/** Created once per release of the database package. */
async function readEmptyDatabase(): Promise<Buffer> {
  const file = join(CACHE, `${packageJson.dependencies['@electric-sql/pglite']}.tar.gz`);
  if (!existsSync(file)) await makeEmptyDatabase(file);
  return readFileSync(file);
}

async function makeEmptyDatabase(file: string): Promise<void> {
  // Builds with a cached copy do not load it.
  const { PGlite } = await import('@electric-sql/pglite');
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${file}-`);
  try {
    const folder = join(draft, 'pgdata');
    const engine = await PGlite.create({ dataDir: folder });
    await engine.close();
    const packed = join(draft, 'packed');
    writeFileSync(packed, gzipSync(await packFolder(folder), { level: 9 }));
    renameSync(packed, file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @returns a tar file in which each directory precedes its contents */
function packFolder(folder: string): Promise<Buffer> {
  const archive = pack();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pages = entries.map((entry) => ({ entry, filePath: join(entry.parentPath, entry.name) }));
  for (const { entry, filePath } of pages.toSorted((a, b) => (a.filePath < b.filePath ? -1 : 1))) {
    const name = relative(folder, filePath).split(sep).join('/');
    if (entry.isDirectory()) archive.entry({ name, type: 'directory' });
    else archive.entry({ name }, readFileSync(filePath));
  }
  archive.finalize();
  return buffer(archive);
}
