import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ArchiveFormat } from '../../model/executor-tables.ts';
import { ArchiveError, quote, stopped, toArchiveError } from './archive-error.ts';
import type { ArchiveWriter, PreparedEntry } from './compression.ts';
import { findFormatByName, openArchive, verifyArchive, throwMissingEnd } from './open-archive.ts';
import { TarWriter } from './tar.ts';
import { ZipWriter } from './write-zip.ts';
import type { ArchiveJob, Summary } from './job.ts';
import { openFlags } from './folders.ts';
import { walkSources, type SourceItem, type WalkOptions } from './source-files.ts';

/**
 * Returns the format of the archive that a job creates.
 * @throws ArchiveError
 */
export function chooseFormat({
  format,
  destination = '',
  password,
  compressionLevel,
}: ArchiveJob): ArchiveFormat {
  const chosen = format ?? findFormatByName(destination);
  const throwConfigurationError = (message: string): never => {
    throw new ArchiveError('configuration', message);
  };
  if (chosen === undefined)
    return throwConfigurationError(
      `cannot detect the archive format from the name ${quote(basename(destination))}. Set config.format`,
    );
  if (password !== undefined && chosen !== 'zip')
    return throwConfigurationError(`config.password is only supported for zip, not ${chosen}`);
  if (compressionLevel > 9 && chosen !== 'tar.zst')
    return throwConfigurationError(
      `config.compressionLevel is ${compressionLevel}, but ${chosen} only supports levels up to 9`,
    );
  return chosen;
}

/**
 * Creates an archive under a temporary name next to its destination and renames it when it is complete. On failure
 * nothing is left.
 * @throws ArchiveError
 */
export async function createArchive(format: ArchiveFormat, job: ArchiveJob, summary: Summary): Promise<void> {
  const destination = job.destination!;
  await assertAbsent(destination, job.overwrite);
  if (job.dryRun) return walkOnly(job, summary);
  const temporary = join(dirname(destination), `.stepwright-${randomBytes(6).toString('hex')}.part`);
  let isPlaced = false;
  try {
    await mkdir(dirname(destination), { recursive: true });
    const file = await open(temporary, openFlags.createAndRead, 0o666);
    try {
      await writeArchive(file, { format, job, summary, temporary });
      if (job.verifyIntegrity) await verify(file, format, job);
    } finally {
      await file.close();
    }
    if (job.signal.aborted) throw stopped();
    await assertAbsent(destination, job.overwrite);
    await rename(temporary, destination);
    isPlaced = true;
  } catch (error) {
    throw toArchiveError(error, quote(destination));
  } finally {
    if (!isPlaced) await unlink(temporary).catch(() => {});
  }
}

async function assertAbsent(destination: string, overwrite: boolean): Promise<void> {
  const stats = await lstat(destination).catch(() => undefined);
  if (stats === undefined || (overwrite && !stats.isDirectory())) return;
  const what = stats.isDirectory()
    ? 'is a folder. Add the archive name'
    : 'already exists. Delete it, or set "overwrite: true"';
  throw new ArchiveError('exists', `${quote(destination)} ${what}`);
}

async function walkOnly(job: ArchiveJob, summary: Summary): Promise<void> {
  for await (const item of walk({ ...job, looksAtFiles: true }, summary, [])) {
    summary.add({ ...item, type: item.kind });
    job.notify(item.name);
  }
}

interface ArchiveOutput {
  readonly format: ArchiveFormat;
  readonly job: ArchiveJob;
  readonly summary: Summary;
  readonly temporary: string;
}

/** Number of entries that are read and compressed ahead in parallel. */
const ahead = 8;

async function writeArchive(
  file: FileHandle,
  { format, job, summary, temporary }: ArchiveOutput,
): Promise<void> {
  const { compressionLevel: level, password } = job;
  const target = { file, level, reading: job };
  const writer: ArchiveWriter =
    format === 'zip' ? new ZipWriter({ ...target, password }) : new TarWriter({ ...target, format });
  const queue: { readonly item: SourceItem; readonly prepared: Promise<PreparedEntry> }[] = [];
  const appendNext = async (): Promise<void> => {
    const { item, prepared } = queue[0]!;
    const entry = await prepared.catch((error: unknown) => abort(error, item.path, { job, summary }));
    queue.shift();
    if (job.signal.aborted) {
      await entry?.discard();
      throw stopped();
    }
    await entry?.append();
    if (entry === undefined) return;
    summary.add({ ...entry.item, type: item.kind });
    job.notify(item.name);
  };
  let isFinished = false;
  try {
    // Opening each file provides its size and permissions, so the walk need not read them.
    const items = walk({ ...job, looksAtFiles: false }, summary, [temporary, job.destination!]);
    for await (const item of items) {
      const prepared = writer.prepare(item);
      prepared.catch(() => {});
      queue.push({ item, prepared });
      if (queue.length >= ahead) await appendNext();
    }
    while (queue.length > 0) await appendNext();
    await writer.finish();
    isFinished = true;
  } finally {
    for (const { prepared } of queue) await prepared.then((entry) => entry.discard()).catch(() => {});
    if (!isFinished) await writer.discard();
  }
}

/**
 * Records that something cannot be packed.
 * @throws ArchiveError if that ends the step
 */
function abort(
  cause: unknown,
  path: string,
  { job, summary }: { readonly job: ArchiveJob; readonly summary: Summary },
): undefined {
  const error = toArchiveError(cause, quote(path));
  if (error.isFinal || !job.continueOnError) throw error;
  summary.fail(error, path);
  job.warn(error.message);
  return undefined;
}

async function* walk(
  job: ArchiveJob & Pick<WalkOptions, 'looksAtFiles'>,
  summary: Summary,
  archivePaths: readonly string[],
): AsyncGenerator<SourceItem> {
  const real = new Set<string>();
  for (const path of archivePaths) {
    real.add(path);
    real.add(join(await realpath(dirname(path)), basename(path)));
  }
  const names = new Set<string>();
  const items = walkSources({
    ...job,
    isArchive: (path) => real.has(path),
    onSkip: () => summary.skip(),
    onFailure: (error, path) => abort(error, path, { job, summary }),
  });
  for await (const item of items) {
    if (job.preservePaths || !names.has(item.name)) {
      if (!job.preservePaths) names.add(item.name);
      yield item;
      continue;
    }
    const message = `${quote(item.path)} has the same name as another file, and preservePaths is false. Exclude one, or keep paths`;
    abort(new ArchiveError('exists', message), item.path, { job, summary });
  }
}

async function verify(file: FileHandle, format: ArchiveFormat, job: ArchiveJob): Promise<void> {
  // An archive that was just created is not a decompression bomb, however well it compressed.
  const limits = { maxRatio: Number.MAX_SAFE_INTEGER, maxEntries: Number.MAX_SAFE_INTEGER };
  const { signal, password } = job;
  const path = job.destination!;
  await verifyArchive(
    await openArchive(file, { path, format, password, signal, ...limits, onEndMissing: throwMissingEnd }),
  );
}
