import fs, { type BigIntStats, type Dirent, closeSync, fstatSync } from 'node:fs';
import { lstat, readdir, realpath, stat, readlink } from 'node:fs/promises';
import { basename, join, relative, isAbsolute, sep } from 'node:path';
import { promisify } from 'node:util';
import { ArchiveError, quote, stopped, toArchiveError } from './archive-error.ts';
import { type Selection, maxBufferedBytes } from './entries.ts';
import { openFlags } from './folders.ts';
import { chunkSize } from './compression.ts';

/** A file, folder or link to pack. */
export interface SourceItem {
  /** Absolute path. */
  readonly path: string;
  /** Name in the archive, with `/` as the separator. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symlink';
  readonly size: number;
  readonly mode: number;
  /** Epoch seconds. */
  readonly modified: number;
}

/** Options of the walk. */
export interface WalkOptions {
  /** Absolute paths. */
  readonly sources: readonly string[];
  readonly workingDir: string;
  readonly selection: Selection;
  readonly followSymlinks: boolean;
  readonly preservePaths: boolean;
  /**
   * If false, the size, permissions and time of files are 0 and only their type is known. Does not apply to folders
   * and links.
   */
  readonly looksAtFiles: boolean;
  readonly signal: AbortSignal;
  /** Whether the path is the archive that is being written, which is skipped. */
  isArchive(path: string): boolean;
  onSkip(): void;
  /** Called for each file that cannot be packed; throws if that ends the walk. */
  onFailure(error: ArchiveError, path: string): void;
}

/**
 * Walks files and folders in order of their names, each folder before its content. Names are relative to the working
 * directory; for sources outside it, only the last path segment is used.
 */
export async function* walkSources(options: WalkOptions): AsyncGenerator<SourceItem> {
  for (const source of options.sources) {
    const name = toSegments(source, options.workingDir);
    yield* walk(source, name, { ...options, above: [] });
  }
}

function toSegments(source: string, workingDir: string): string[] {
  const path = relative(workingDir, source);
  if (path === '') return [];
  if (path.split(sep)[0] === '..' || isAbsolute(path)) return [basename(source)];
  return path.split(sep);
}

interface Walk extends WalkOptions {
  /** Device and file numbers of the parent folders, to detect cycles of links. */
  readonly above: readonly string[];
}

async function* walk(path: string, segments: readonly string[], context: Walk): AsyncGenerator<SourceItem> {
  if (context.signal.aborted) throw stopped();
  if (context.isArchive(path)) return;
  if (context.selection.excludes(segments)) return context.onSkip();
  let stats: BigIntStats;
  try {
    stats = await readStats(path, context);
  } catch (error) {
    return context.onFailure(toArchiveError(error, quote(path)), path);
  }
  const item = toItem(path, segments, stats);
  if (item === undefined) return context.onFailure(unsupportedFileError(path), path);
  if (segments.length > 0) {
    const isFlattened = !context.preservePaths && item.kind === 'folder';
    if (isFlattened || !context.selection.selects(segments)) {
      if (item.kind !== 'folder') context.onSkip();
    } else yield context.preservePaths ? item : { ...item, name: segments.at(-1)! };
  }
  if (item.kind === 'folder')
    yield* walkFolder(path, segments, { ...context, above: [...context.above, getId(stats)] });
}

async function readStats(path: string, { followSymlinks, above }: Walk): Promise<BigIntStats> {
  const stats = await (followSymlinks ? stat : lstat)(path, { bigint: true });
  if (stats.isDirectory() && above.includes(getId(stats))) {
    const message = `${quote(path)} is a link to its parent folder ${quote(await realpath(path))}. Exclude it, or turn off followSymlinks`;
    throw new ArchiveError('unsupported', message);
  }
  return stats;
}

const getId = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

async function* walkFolder(
  path: string,
  segments: readonly string[],
  context: Walk,
): AsyncGenerator<SourceItem> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    return context.onFailure(toArchiveError(error, quote(path)), path);
  }
  const needsStats = context.looksAtFiles || context.followSymlinks;
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const below = join(path, entry.name);
    const name = [...segments, entry.name];
    if (needsStats || !entry.isFile()) yield* walk(below, name, context);
    else yield* walkFile(below, name, context);
  }
}

/** Yields a file whose type is known from the folder entry. */
function* walkFile(path: string, segments: readonly string[], context: Walk): Generator<SourceItem> {
  if (context.signal.aborted) throw stopped();
  if (context.isArchive(path)) return;
  if (!context.selection.selects(segments)) return context.onSkip();
  const name = context.preservePaths ? segments.join('/') : segments.at(-1)!;
  yield { path, name, kind: 'file', size: 0, mode: 0, modified: 0 };
}

function toItem(path: string, segments: readonly string[], stats: BigIntStats): SourceItem | undefined {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'symlink'
        : undefined;
  if (kind === undefined) return undefined;
  return {
    path,
    name: segments.join('/'),
    kind,
    size: kind === 'file' ? Number(stats.size) : 0,
    mode: Number(stats.mode) & 0o777,
    modified: Number(stats.mtimeMs) / 1000,
  };
}

const unsupportedFileError = (path: string): ArchiveError =>
  new ArchiveError(
    'unsupported',
    `${quote(path)} is a device, pipe or socket, which archives cannot contain. Exclude it`,
  );

const open = promisify(fs.open);
const read = promisify(fs.read);

/**
 * A file that is being packed. Opening and reading are asynchronous. Reading the size of an open file and closing a
 * file that was only read never block, so they are synchronous, which costs less than a round trip to the thread pool.
 */
export class SourceFile {
  readonly item: SourceItem;
  readonly #descriptor: number;
  readonly #signal: AbortSignal;

  private constructor(item: SourceItem, descriptor: number, signal: AbortSignal) {
    this.item = item;
    this.#descriptor = descriptor;
    this.#signal = signal;
  }

  /**
   * Opens a file that the walk found.
   * @throws ArchiveError
   */
  static async open(
    item: SourceItem,
    { followSymlinks, signal }: { readonly followSymlinks: boolean; readonly signal: AbortSignal },
  ): Promise<SourceFile> {
    const flags = followSymlinks ? openFlags.read : openFlags.readUnlinked;
    let descriptor: number | undefined;
    try {
      descriptor = await open(item.path, flags);
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw changed(item);
      const properties = { size: stats.size, mode: stats.mode & 0o777, modified: stats.mtimeMs / 1000 };
      return new SourceFile({ ...item, ...properties }, descriptor, signal);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw toArchiveError(error, quote(item.path));
    }
  }

  /**
   * Reads the content, exactly as many bytes as the file had when it was opened.
   * @throws ArchiveError
   */
  async *read(): AsyncGenerator<Buffer> {
    let remaining = this.item.size;
    while (remaining > 0) {
      if (this.#signal.aborted) throw stopped();
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, remaining));
      const { bytesRead } = await read(this.#descriptor, chunk, 0, chunk.length, null).catch(
        (error: unknown) => {
          throw toArchiveError(error, quote(this.item.path));
        },
      );
      if (bytesRead === 0) throw changed(this.item);
      remaining -= bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  async readAll(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read()) chunks.push(chunk);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const changed = ({ path }: SourceItem): ArchiveError =>
  new ArchiveError(
    'changed',
    `${quote(path)} changed while it was being packed. Try again when the file is not being written`,
  );

/** The content of a file to pack: in memory if it is small, else as an open file. */
export type SourceContent =
  | { readonly kind: 'whole'; readonly item: SourceItem; readonly bytes: Buffer }
  | { readonly kind: 'open'; readonly item: SourceItem; readonly file: SourceFile };

/** Opens a file and reads it if it is small, in which case it is closed again. Folders and links have no content. */
export async function prepareContent(
  item: SourceItem,
  options: { readonly followSymlinks: boolean; readonly signal: AbortSignal },
): Promise<SourceContent> {
  if (item.kind !== 'file') return { kind: 'whole', item, bytes: Buffer.alloc(0) };
  const file = await SourceFile.open(item, options);
  if (file.item.size > maxBufferedBytes) return { kind: 'open', item: file.item, file };
  try {
    return { kind: 'whole', item: file.item, bytes: await file.readAll() };
  } finally {
    file.close();
  }
}

/** Returns the target of a link that is packed. */
export async function readTarget({ path }: SourceItem): Promise<string> {
  try {
    return await readlink(path);
  } catch (error) {
    throw toArchiveError(error, quote(path));
  }
}
