import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { fsyncDir } from '../../../files/fsync-dir.ts';
import { fsyncTree } from './write-out.ts';

/**
 * Empty data directory that the build adds next to the thread (`scripts/build/node-programs.ts`). Missing when
 * running from source.
 */
const prepared = join(import.meta.dirname, 'empty.tar.gz');

/** Chunk size for reading. The default of 16 KiB takes twice as long. */
const pieceBytes = 1 << 20;

/**
 * Creates the data directory unless it exists. It is renamed into place only when it is complete and flushed to disk,
 * because an incomplete directory would be taken for a database.
 * @param initialize creates a data directory if there is no prebuilt one, which takes PostgreSQL seconds
 * @param settle flushes a directory to disk
 */
export async function makeDataDirectory(
  folder: string,
  initialize: (folder: string) => Promise<void>,
  settle: (folder: string) => Promise<void> = fsyncTree,
): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  assertEmpty(folder);
  if (existsSync(prepared)) await unpack(prepared, draft);
  else await initialize(draft);
  await settle(draft);
  if (existsSync(folder)) rmdirSync(folder);
  renameSync(draft, folder);
  await fsyncDir(dirname(folder));
}

function assertEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(
      `${folder} contains files but no PG_VERSION, so it is not a database. Move the folder away, or restore a backup with "engine gateway restore FILE --force".`,
    );
}

async function unpack(file: string, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const entries = extract();
  entries.end(gunzipSync(readFileSync(file), { chunkSize: pieceBytes }));
  for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Entry }>) {
    const path = join(folder, entry.header.name);
    const content = await buffer(entry);
    if (entry.header.type === 'directory') mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, content, { mode: 0o600 });
  }
}

interface Entry {
  readonly name: string;
  readonly type?: string | null;
}
