import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import packageJson from '../../../package.json' with { type: 'json' };

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/stepwright-embedded');

/** To make a data directory takes PostgreSQL seconds, to copy one a few hundredths. One for each release of the engine. */
const template = join(CACHE, packageJson.dependencies['@electric-sql/pglite']);
if (!existsSync(template)) await makeTemplate();

/**
 * Puts a new data directory of the embedded database where its engine would make one.
 * @param folder the database's, `data/gateway` of a home
 */
export function placeEmbedded(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(template, join(folder, 'pgdata'), { recursive: true });
}

async function makeTemplate(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${template}-`);
  const engine = await PGlite.create({ dataDir: draft });
  await engine.close();
  try {
    renameSync(draft, template);
  } catch (thrown) {
    // Another process was first.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(template)) throw thrown;
  }
}
