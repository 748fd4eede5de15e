import { ArchiveError, quote, stopped, toArchiveError } from './archive-error.ts';
import { Destination, checkLinkTarget, getDestinationPath, splitName } from './destination.ts';
import { readBytes, maxBufferedBytes, type ArchiveEntry, type OpenArchive } from './entries.ts';
import type { ArchiveJob, ListedFile, Summary } from './job.ts';

/**
 * Extracts an archive. Entries extracted before a failure are not deleted.
 * @throws ArchiveError
 */
export async function extractArchive(archive: OpenArchive, job: ArchiveJob, summary: Summary): Promise<void> {
  const destination = await Destination.open(job.destination!, job);
  try {
    await new Extraction(archive, destination, { job, summary }).run();
  } finally {
    await destination.close();
  }
}

type EntryPath = readonly string[];

/** A symbolic link or the metadata of a folder, applied at the end. */
interface DeferredEntry {
  readonly entry: ArchiveEntry;
  readonly path: EntryPath;
  readonly target?: string;
}

/** Maximum total length of links and folder names that are deferred to the end, in UTF-16 code units. */
const maxDeferredSize = 64 * 1024 * 1024;

class Extraction {
  readonly #archive: OpenArchive;
  readonly #destination: Destination;
  readonly #job: ArchiveJob;
  readonly #summary: Summary;
  readonly #inFlight = new PendingEntries();
  /** Links are created last, so that no entry can be written through a link of the same archive. */
  readonly #links: DeferredEntry[] = [];
  /** The time and permissions of a folder are set after its last entry is written. */
  readonly #folders: DeferredEntry[] = [];
  #deferredSize = 0;
  #failure: ArchiveError | undefined;

  constructor(
    archive: OpenArchive,
    destination: Destination,
    context: { readonly job: ArchiveJob; readonly summary: Summary },
  ) {
    this.#archive = archive;
    this.#destination = destination;
    this.#job = context.job;
    this.#summary = context.summary;
  }

  async run(): Promise<void> {
    try {
      for await (const entry of this.#archive.entries()) {
        this.#throwIfOver();
        await this.#attempt(entry, () => this.#take(entry));
      }
    } finally {
      await this.#inFlight.waitForAll();
    }
    this.#throwIfOver();
    for (const { entry, path, target } of this.#links) {
      this.#throwIfOver();
      await this.#attempt(entry, async () => {
        await this.#destination.makeSymlink(path, target!, entry.modified);
        this.#done(entry, path);
      });
    }
    // Deepest first: setting the metadata of a folder must not be undone or blocked by the metadata of its parent.
    for (const { entry, path } of this.#folders.toReversed()) {
      this.#throwIfOver();
      await this.#attempt(entry, () => this.#destination.setFolderMetadata(path, entry));
    }
    this.#throwIfOver();
  }

  #throwIfOver(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#job.signal.aborted) throw stopped();
  }

  /** Runs work for an entry and records its failure, which stops the extraction unless it should and can continue. */
  async #attempt(entry: ArchiveEntry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      const error = toArchiveError(cause, quote(entry.name));
      if (error.isFinal || !this.#job.continueOnError) this.#failure ??= error;
      else {
        this.#summary.fail(error, entry.name);
        this.#job.warn(error.message);
      }
    }
  }

  async #take(entry: ArchiveEntry): Promise<void> {
    const segments = splitName(entry.name);
    const isRoot = segments.length === 0;
    const path = isRoot ? undefined : getDestinationPath(segments, this.#job);
    const isFlattened = entry.kind === 'folder' && !this.#job.preservePaths;
    if (path === undefined || isFlattened || !this.#job.selection.selects(segments)) {
      if (!isRoot) this.#summary.skip();
      return;
    }
    await this.#extract(entry, path);
  }

  #extract(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    switch (entry.kind) {
      case 'file':
        return this.#extractFile(entry, path);
      case 'folder':
        return this.#extractFolder(entry, path);
      case 'symlink':
        return this.#extractSymlink(entry, path);
      case 'hardlink':
        return this.#extractHardLink(entry, path);
      case 'other':
        throw new ArchiveError(
          'unsupported',
          `${quote(entry.name)} is a device, pipe or other special file and cannot be extracted`,
        );
    }
  }

  async #extractFile(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    if (this.#job.dryRun) return this.#dryRunEntry(entry, path);
    const write = async (content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
      await this.#destination.writeFile(path, entry, content);
      this.#done(entry, path);
    };
    const key = path.join('/');
    if (entry.size > maxBufferedBytes) {
      // Wait for pending writes to the same path.
      await this.#inFlight.waitForAll();
      return write(untilStopped(entry.content(), this.#job.signal));
    }
    const known = this.#archive.isRandomAccess ? undefined : await readBytes(entry);
    await this.#inFlight.start(key, () =>
      this.#attempt(entry, async () => write(known ?? (await readBytes(entry)))),
    );
  }

  async #extractFolder(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    if (this.#job.dryRun) return this.#done(entry, path);
    await this.#destination.makeFolder(path);
    this.#postpone(this.#folders, { entry, path });
    this.#done(entry, path);
  }

  async #extractSymlink(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    const target = await entry.linkTarget();
    checkLinkTarget(target, path.slice(0, -1), entry.name);
    if (this.#job.dryRun) return this.#dryRunEntry(entry, path);
    this.#postpone(this.#links, { entry, path, target });
  }

  async #extractHardLink(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    const target = getDestinationPath(splitName(await entry.linkTarget(), entry.name), this.#job);
    if (target === undefined)
      throw new ArchiveError('unsafe', `${quote(entry.name)} links to a file that is not in the archive`);
    if (this.#job.dryRun) return this.#dryRunEntry(entry, path);
    await this.#inFlight.waitForAll();
    await this.#destination.makeHardLink(path, target);
    this.#done(entry, path);
  }

  async #dryRunEntry(entry: ArchiveEntry, path: EntryPath): Promise<void> {
    await this.#destination.checkFree(path);
    this.#done(entry, path);
  }

  #postpone(list: DeferredEntry[], later: DeferredEntry): void {
    this.#deferredSize += later.entry.name.length + (later.target?.length ?? 0);
    if (this.#deferredSize > maxDeferredSize)
      throw new ArchiveError('limit', 'the names of links and folders in the archive exceed 64 MiB');
    list.push(later);
  }

  #done(entry: ArchiveEntry, path: EntryPath): void {
    const name = path.join('/');
    const { kind, size, mode, modified } = entry;
    const file: ListedFile = { name, type: kind, size, mode, modified };
    this.#summary.add(file);
    this.#job.notify(name);
  }
}

async function* untilStopped(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    if (signal.aborted) throw stopped();
    yield chunk;
  }
}

/** Maximum number of concurrent small writes; Node's thread pool has four threads. */
const max = 8;

/** Runs a few tasks in parallel; tasks with the same key run one after the other. */
class PendingEntries {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Starts a task when there is a free slot.
   * @param task must not reject
   */
  async start(key: string, task: () => Promise<void>): Promise<void> {
    while (this.#running.has(key)) await this.#running.get(key);
    while (this.#running.size >= max) await Promise.race(this.#running.values());
    const running = task().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
  }

  /** Resolves when no task is running. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
