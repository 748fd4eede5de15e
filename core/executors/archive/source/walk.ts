import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, isAbsolute, sep } from 'node:path';
import { ArchiveError, quote, stopped, toArchiveError } from '../archive-error.ts';
import type { Selection } from '../entries/selection.ts';

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
    const name = toParts(source, options.workingDir);
    yield* walk(source, name, { ...options, above: [] });
  }
}

function toParts(source: string, workingDir: string): string[] {
  const path = relative(workingDir, source);
  if (path === '') return [];
  if (path.split(sep)[0] === '..' || isAbsolute(path)) return [basename(source)];
  return path.split(sep);
}

interface Walk extends WalkOptions {
  /** Device and file numbers of the parent folders, to detect cycles of links. */
  readonly above: readonly string[];
}

async function* walk(path: string, parts: readonly string[], around: Walk): AsyncGenerator<SourceItem> {
  if (around.signal.aborted) throw stopped();
  if (around.isArchive(path)) return;
  if (around.selection.excludes(parts)) return around.onSkip();
  let found: BigIntStats;
  try {
    found = await look(path, around);
  } catch (error) {
    return around.onFailure(toArchiveError(error, quote(path)), path);
  }
  const item = toItem(path, parts, found);
  if (item === undefined) return around.onFailure(describeSpecial(path), path);
  if (parts.length > 0) {
    const isFlattened = !around.preservePaths && item.kind === 'folder';
    if (isFlattened || !around.selection.takes(parts)) {
      if (item.kind !== 'folder') around.onSkip();
    } else yield around.preservePaths ? item : { ...item, name: parts.at(-1)! };
  }
  if (item.kind === 'folder')
    yield* walkFolder(path, parts, { ...around, above: [...around.above, idOf(found)] });
}

async function look(path: string, { followSymlinks, above }: Walk): Promise<BigIntStats> {
  const found = await (followSymlinks ? stat : lstat)(path, { bigint: true });
  if (found.isDirectory() && above.includes(idOf(found))) {
    const message = `${quote(path)} is a link to its parent folder ${quote(await realpath(path))}. Exclude it, or turn off followSymlinks`;
    throw new ArchiveError('unsupported', message);
  }
  return found;
}

const idOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

async function* walkFolder(path: string, parts: readonly string[], around: Walk): AsyncGenerator<SourceItem> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    return around.onFailure(toArchiveError(error, quote(path)), path);
  }
  const looks = around.looksAtFiles || around.followSymlinks;
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const below = join(path, entry.name);
    const name = [...parts, entry.name];
    if (looks || !entry.isFile()) yield* walk(below, name, around);
    else yield* takeUnseen(below, name, around);
  }
}

/** Yields a file whose type is known from the folder entry. */
function* takeUnseen(path: string, parts: readonly string[], around: Walk): Generator<SourceItem> {
  if (around.signal.aborted) throw stopped();
  if (around.isArchive(path)) return;
  if (!around.selection.takes(parts)) return around.onSkip();
  const name = around.preservePaths ? parts.join('/') : parts.at(-1)!;
  yield { path, name, kind: 'file', size: 0, mode: 0, modified: 0 };
}

function toItem(path: string, parts: readonly string[], found: BigIntStats): SourceItem | undefined {
  const kind = found.isFile()
    ? 'file'
    : found.isDirectory()
      ? 'folder'
      : found.isSymbolicLink()
        ? 'symlink'
        : undefined;
  if (kind === undefined) return undefined;
  return {
    path,
    name: parts.join('/'),
    kind,
    size: kind === 'file' ? Number(found.size) : 0,
    mode: Number(found.mode) & 0o777,
    modified: Number(found.mtimeMs) / 1000,
  };
}

const describeSpecial = (path: string): ArchiveError =>
  new ArchiveError(
    'unsupported',
    `${quote(path)} is a device, pipe or socket, which archives cannot contain. Exclude it`,
  );
