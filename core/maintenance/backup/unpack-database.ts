import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { AppError, messageOf } from '../../base/errors.ts';
import { gatewayDatabaseName, isSafePath } from './manifest.ts';

/**
 * Unpacks a dump of the embedded gateway database. Throws `bad_request` for any other file.
 * @param dump gzipped tar file of a data directory
 * @param folder target directory; must not exist
 */
export async function unpackDatabase(dump: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const entries = extract();
    const extraction = pipeline(createReadStream(dump), createGunzip(), entries as unknown as Writable);
    extraction.catch(() => {});
    for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Entry }>)
      await unpackEntry(entry.header, entry, folder);
    await extraction;
  } catch (error) {
    throw notABackupError(dump, messageOf(error), error);
  }
  if (!existsSync(path.join(folder, 'PG_VERSION'))) throw notABackupError(dump, 'no database in the backup');
}

/** Unpacks the gateway database of a backup, if present, to its place in the home. */
export async function unpackGatewayDatabase(home: string): Promise<void> {
  const dump = path.join(home, ...gatewayDatabaseName.split('/'));
  if (!existsSync(dump)) return;
  await unpackDatabase(dump, path.join(path.dirname(dump), 'pgdata'));
  await rm(dump);
}

interface Entry {
  readonly name: string;
  readonly type?: string | null;
}

async function unpackEntry(
  { name, type }: Entry,
  content: AsyncIterable<Buffer>,
  folder: string,
): Promise<void> {
  // Names start at the root of the database's virtual file system.
  const relativePath = name.replace(/^\/+|\/+$/g, '');
  if (relativePath === '' && type === 'directory') return drain(content);
  if (!isSafePath(relativePath)) throw new Error(`unexpected database entry ${JSON.stringify(name)}`);
  const target = path.join(folder, ...relativePath.split('/'));
  if (type === 'directory') {
    await mkdir(target, { recursive: true, mode: 0o700 });
    return drain(content);
  }
  if (type !== 'file') throw new Error(`entry ${JSON.stringify(name)} is neither a file nor a folder`);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of content) await handle.appendFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads an entry to its end, which the next entry requires. */
async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

const notABackupError = (dump: string, finding: string, cause?: unknown): AppError =>
  new AppError(
    'bad_request',
    `${dump} is not a backup of the embedded database: ${finding}. Nothing was changed.`,
    {
      cause,
      details: { hint: 'Create one with "engine gateway backup FILE".' },
    },
  );
