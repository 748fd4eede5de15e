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
import { syncFolder } from '../../../files/sync-folder.ts';
import { writeOut } from './write-out.ts';

/** An empty one, which the build puts beside the thread (`scripts/build/empty-database.ts`); sources have none. */
const prepared = join(import.meta.dirname, 'empty.tar.gz');

/** Of the pieces in which it is read: the usual ones of 16 KiB take twice the time. */
const pieceBytes = 1 << 20;

/**
 * Makes the data directory of a database, unless there is one. It gets its name when it is whole and on the disk: one that
 * was begun and never ended would be taken for a database ever after.
 * @param initialize makes one where none was prepared, which takes PostgreSQL seconds
 * @param settle has a folder written to the disk
 */
export async function makeDataDirectory(
  folder: string,
  initialize: (folder: string) => Promise<void>,
  settle: (folder: string) => Promise<void> = writeOut,
): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  refuseOthers(folder);
  if (existsSync(prepared)) await unpack(prepared, draft);
  else await initialize(draft);
  await settle(draft);
  if (existsSync(folder)) rmdirSync(folder);
  renameSync(draft, folder);
  await syncFolder(dirname(folder));
}

function refuseOthers(folder: string): void {
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
    const place = join(folder, entry.header.name);
    const content = await buffer(entry);
    if (entry.header.type === 'directory') mkdirSync(place, { mode: 0o700 });
    else writeFileSync(place, content, { mode: 0o600 });
  }
}

interface Entry {
  readonly name: string;
  readonly type?: string | null;
}
