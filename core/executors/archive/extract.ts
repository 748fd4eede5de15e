import { ArchiveError, quote, stopped, toArchiveError } from './archive-error.ts';
import { Destination } from './destination/destination.ts';
import { checkLinkTarget, placeOf, splitName } from './destination/place-of.ts';
import { readBytes, smallContent, type ArchiveEntry, type OpenArchive } from './entries/entry.ts';
import { PendingEntries } from './pending-entries.ts';
import type { ArchiveJob } from './job.ts';
import type { ListedFile, Summary } from './summary.ts';

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
interface Later {
  readonly entry: ArchiveEntry;
  readonly place: EntryPath;
  readonly target?: string;
}

/** Maximum total length of links and folder names that are deferred to the end, in UTF-16 code units. */
const maxLater = 64 * 1024 * 1024;

class Extraction {
  readonly #archive: OpenArchive;
  readonly #destination: Destination;
  readonly #job: ArchiveJob;
  readonly #summary: Summary;
  readonly #inFlight = new PendingEntries();
  /** Links are created last, so that no entry can be written through a link of the same archive. */
  readonly #links: Later[] = [];
  /** The time and permissions of a folder are set after its last entry is written. */
  readonly #folders: Later[] = [];
  #laterSize = 0;
  #failure: ArchiveError | undefined;

  constructor(
    archive: OpenArchive,
    destination: Destination,
    around: { readonly job: ArchiveJob; readonly summary: Summary },
  ) {
    this.#archive = archive;
    this.#destination = destination;
    this.#job = around.job;
    this.#summary = around.summary;
  }

  async run(): Promise<void> {
    try {
      for await (const entry of this.#archive.entries()) {
        this.#throwIfOver();
        await this.#attempt(entry, () => this.#take(entry));
      }
    } finally {
      await this.#inFlight.settle();
    }
    this.#throwIfOver();
    for (const { entry, place, target } of this.#links) {
      this.#throwIfOver();
      await this.#attempt(entry, async () => {
        await this.#destination.makeSymlink(place, target!, entry.modified);
        this.#done(entry, place);
      });
    }
    // Deepest first: setting the metadata of a folder must not be undone or blocked by the metadata of its parent.
    for (const { entry, place } of this.#folders.toReversed()) {
      this.#throwIfOver();
      await this.#attempt(entry, () => this.#destination.markFolder(place, entry));
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
    const parts = splitName(entry.name);
    const isRoot = parts.length === 0;
    const place = isRoot ? undefined : placeOf(parts, this.#job);
    const isFlattened = entry.kind === 'folder' && !this.#job.preservePaths;
    if (place === undefined || isFlattened || !this.#job.selection.takes(parts)) {
      if (!isRoot) this.#summary.skip();
      return;
    }
    await this.#extract(entry, place);
  }

  #extract(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    switch (entry.kind) {
      case 'file':
        return this.#placeFile(entry, place);
      case 'folder':
        return this.#placeFolder(entry, place);
      case 'symlink':
        return this.#placeSymlink(entry, place);
      case 'hardlink':
        return this.#placeHardLink(entry, place);
      case 'other':
        throw new ArchiveError(
          'unsupported',
          `${quote(entry.name)} is a device, pipe or other special file and cannot be extracted`,
        );
    }
  }

  async #placeFile(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    if (this.#job.dryRun) return this.#wouldPlace(entry, place);
    const write = async (content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
      await this.#destination.writeFile(place, entry, content);
      this.#done(entry, place);
    };
    const key = place.join('/');
    if (entry.size > smallContent) {
      // Wait for pending writes to the same path.
      await this.#inFlight.settle();
      return write(untilStopped(entry.content(), this.#job.signal));
    }
    const known = this.#archive.isRandomAccess ? undefined : await readBytes(entry);
    await this.#inFlight.start(key, () =>
      this.#attempt(entry, async () => write(known ?? (await readBytes(entry)))),
    );
  }

  async #placeFolder(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    if (this.#job.dryRun) return this.#done(entry, place);
    await this.#destination.makeFolder(place);
    this.#postpone(this.#folders, { entry, place });
    this.#done(entry, place);
  }

  async #placeSymlink(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    const target = await entry.linkTarget();
    checkLinkTarget(target, place.slice(0, -1), entry.name);
    if (this.#job.dryRun) return this.#wouldPlace(entry, place);
    this.#postpone(this.#links, { entry, place, target });
  }

  async #placeHardLink(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    const target = placeOf(splitName(await entry.linkTarget(), entry.name), this.#job);
    if (target === undefined)
      throw new ArchiveError('unsafe', `${quote(entry.name)} links to a file that is not in the archive`);
    if (this.#job.dryRun) return this.#wouldPlace(entry, place);
    await this.#inFlight.settle();
    await this.#destination.makeHardLink(place, target);
    this.#done(entry, place);
  }

  async #wouldPlace(entry: ArchiveEntry, place: EntryPath): Promise<void> {
    await this.#destination.checkFree(place);
    this.#done(entry, place);
  }

  #postpone(list: Later[], later: Later): void {
    this.#laterSize += later.entry.name.length + (later.target?.length ?? 0);
    if (this.#laterSize > maxLater)
      throw new ArchiveError('limit', 'the names of links and folders in the archive exceed 64 MiB');
    list.push(later);
  }

  #done(entry: ArchiveEntry, place: EntryPath): void {
    const name = place.join('/');
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
