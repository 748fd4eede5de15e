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
  if (item === undefined) return context.onFailure(describeSpecial(path), path);
  if (segments.length > 0) {
    const isFlattened = !context.preservePaths && item.kind === 'folder';
    if (isFlattened || !context.selection.selects(segments)) {
      if (item.kind !== 'folder') context.onSkip();
    } else yield context.preservePaths ? item : { ...item, name: segments.at(-1)! };
  }
  if (item.kind === 'folder')
    yield* walkFolder(path, segments, { ...context, above: [...context.above, idOf(stats)] });
}

async function readStats(path: string, { followSymlinks, above }: Walk): Promise<BigIntStats> {
  const stats = await (followSymlinks ? stat : lstat)(path, { bigint: true });
  if (stats.isDirectory() && above.includes(idOf(stats))) {
    const message = `${quote(path)} is a link to its parent folder ${quote(await realpath(path))}. Exclude it, or turn off followSymlinks`;
    throw new ArchiveError('unsupported', message);
  }
  return stats;
}

const idOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

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

const describeSpecial = (path: string): ArchiveError =>
  new ArchiveError(
    'unsupported',
    `${quote(path)} is a device, pipe or socket, which archives cannot contain. Exclude it`,
  );
