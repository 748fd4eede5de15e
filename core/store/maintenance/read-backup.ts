import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { newerDatabaseError } from '../database/migrate.ts';
import { knownSchema } from '../check-database.ts';
import { toFileError } from './open-home.ts';
import {
  type BackupFile,
  type BackupManifest,
  isSafePath,
  manifestName,
  readManifest,
  gatewayDatabaseName,
} from './backup-manifest.ts';

/** Size limit; a manifest of a million files is smaller. */
const maxManifestBytes = 256 * 1024 * 1024;

const damaged = (file: string, finding: string, cause?: unknown): AppError =>
  new AppError('bad_request', `Cannot use the backup ${file}: ${finding}. Nothing was changed.`, {
    cause,
    details: {
      hint: 'Create backups with "engine backup". The last entry of a backup must be manifest.json.',
    },
  });

/**
 * Extracts a backup into an empty directory and verifies all checksums. Rejects with `bad_request` for different,
 * missing or unexpected files, and with `database_newer`.
 */
export async function readBackup(file: string, folder: string): Promise<BackupManifest> {
  const writtenFiles: BackupFile[] = [];
  let manifestText: string | undefined;
  try {
    await readEntries(file, async (header, content) => {
      if (manifestText !== undefined) throw damaged(file, 'unexpected data after the manifest');
      if (header.name === manifestName) manifestText = await readText(content, header.size ?? 0, file);
      else writtenFiles.push(await writeEntry(folder, header, content, file));
    });
  } catch (error) {
    throw toReadError(error, file);
  }
  const manifest = readManifest(manifestText ?? '');
  if (manifest === undefined) {
    const reason = manifestText === undefined ? 'incomplete' : 'unknown manifest format';
    throw damaged(file, reason);
  }
  compare(file, manifest, writtenFiles);
  if (manifest.schema > knownSchema) throw newerDatabaseError(file, manifest.schema, knownSchema);
  return manifest;
}

function toReadError(error: unknown, file: string): unknown {
  const described = toFileError(error, `Cannot read the backup ${file}`);
  if (described instanceof AppError) return described;
  return damaged(file, `not an archive, or damaged (${(error as Error).message})`, error);
}

function compare(file: string, manifest: BackupManifest, writtenFiles: readonly BackupFile[]): void {
  const expected = new Map(manifest.files.map((entry) => [entry.path, entry]));
  for (const { path: name, bytes, sha256 } of writtenFiles) {
    const entry = expected.get(name);
    if (entry === undefined) throw damaged(file, `unexpected file ${name}`);
    if (entry.bytes !== bytes || entry.sha256 !== sha256)
      throw damaged(file, `checksum of ${name} does not match`);
    expected.delete(name);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw damaged(file, `${missing} is missing`);
}

async function readEntries(
  file: string,
  onEntry: (header: Header, content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const extraction = pipeline(createReadStream(file), createGunzip(), entries as unknown as Writable);
  extraction.catch(() => {});
  try {
    for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Header }>)
      await onEntry(entry.header, entry);
  } catch (error) {
    // When the file ends early, the entries only report that the stream was destroyed; the pipeline has the actual
    // error.
    if (error instanceof Error && 'code' in error && error.code === 'STREAM_DESTROYED') await extraction;
    throw error;
  }
  await extraction;
}

async function readText(content: AsyncIterable<Buffer>, bytes: number, file: string): Promise<string> {
  if (bytes > maxManifestBytes) throw damaged(file, 'the manifest is too large');
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function writeEntry(
  folder: string,
  { name, type }: Header,
  content: AsyncIterable<Buffer>,
  file: string,
): Promise<BackupFile> {
  if (type !== 'file' || !isSafePath(name)) throw damaged(file, `unexpected entry ${JSON.stringify(name)}`);
  const target = path.join(folder, ...name.split('/'));
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.appendFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { path: name, bytes, sha256: hash.digest('hex') };
}

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
    throw notABackupError(dump, getErrorMessage(error), error);
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
