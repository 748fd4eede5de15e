import type { FileHandle } from 'node:fs/promises';
import { Transform, type Duplex, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract, type Header } from 'tar-stream';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { ArchiveError, quote, toArchiveError } from '../archive-error.ts';
import type { Budget } from '../entries/budget.ts';
import type { ArchiveEntry, EntryKind, OpenArchive } from '../entries/entry.ts';
import { chunkSize, createDecoder, explainFilter } from './compression.ts';

type Entry = Extract extends AsyncIterable<infer Stream> ? Stream : never;

/** Dependencies for reading a tar archive. */
export interface TarSource {
  readonly file: FileHandle;
  readonly format: Exclude<ArchiveFormat, 'zip'>;
  readonly signal: AbortSignal;
  /** Returns a new budget for each pass over the archive. */
  budget(): Budget;
  /** Called when the end-of-archive marker is missing. */
  onEndMissing(): void;
}

/** A tar archive, optionally compressed, read as a stream in constant memory. */
export const openTar = (source: TarSource): OpenArchive => ({
  format: source.format,
  isRandomAccess: false,
  entries: () => readEntries(source),
});

async function* readEntries(source: TarSource): AsyncGenerator<ArchiveEntry> {
  const { file, format, signal } = source;
  const budget = source.budget();
  const tail = new Tail();
  const parser = extract();
  const stages: (Readable | Duplex | Writable)[] = [
    file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize }),
  ];
  const decoder = createDecoder(format);
  if (decoder !== undefined) stages.push(decoder);
  // The parser's streams work in a pipeline although their declared types do not match.
  stages.push(createMeter(budget, tail), parser as unknown as Writable);
  let failure: unknown;
  const flow = pipeline(stages, { signal }).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const entry of parser) {
      budget.countEntry();
      yield toEntry(entry);
      // Discard content that was not read; otherwise the parser stalls.
      entry.resume();
    }
  } catch (error) {
    await flow;
    throw describe(error instanceof ArchiveError ? error : (failure ?? error), format);
  } finally {
    parser.destroy();
    await flow;
  }
  if (failure !== undefined) throw describe(failure, format);
  if (!tail.isEndMark) source.onEndMissing();
}

/** Counts the bytes that pass through. */
function createMeter(budget: Budget, tail: Tail): Transform {
  return new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _, done) {
      try {
        budget.countBytes(chunk.length);
        tail.add(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

const blockSize = 512;

/** Tracks the last block of the archive, which is all zeros if the archive is complete. */
class Tail {
  #block: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#block =
      chunk.length >= blockSize
        ? Buffer.from(chunk.subarray(-blockSize))
        : Buffer.concat([this.#block, chunk]).subarray(-blockSize);
  }

  get isEndMark(): boolean {
    return this.#block.length === blockSize && this.#block.every((byte) => byte === 0);
  }
}

const kinds: Readonly<Record<string, EntryKind>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'symlink',
  link: 'hardlink',
};

function toEntry(stream: Entry): ArchiveEntry {
  const { header } = stream;
  const isSparse = Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  const kind = isSparse ? 'other' : (kinds[header.type] ?? 'other');
  return {
    name: header.name,
    kind,
    size: kind === 'file' ? header.size : 0,
    mode: header.mode,
    modified: readModified(header),
    isEncrypted: false,
    linkTarget: () => Promise.resolve(header.linkname),
    content: () => readContent(stream, header),
  };
}

function readModified(header: Header): number | undefined {
  const { mtime } = (header.pax ?? {}) as { readonly mtime?: string };
  if (mtime !== undefined && Number.isFinite(Number(mtime))) return Number(mtime);
  const time = header.mtime.getTime();
  return Number.isNaN(time) ? undefined : time / 1000;
}

async function* readContent(stream: Entry, header: Header): AsyncGenerator<Uint8Array> {
  let remaining = header.size;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      remaining -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw toArchiveError(error, quote(header.name), 'damaged');
  }
  if (remaining > 0) throw new ArchiveError('damaged', `${quote(header.name)}: unexpected end of archive`);
}

function describe(error: unknown, format: ArchiveFormat): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const explanation = explainFilter(error, format);
  if (explanation !== undefined) return explanation;
  const { message } = error as Error;
  if (/unexpected end/i.test(message)) {
    return new ArchiveError('damaged', 'the archive is truncated. Download or create it again');
  }
  if (/invalid tar header/i.test(message)) {
    return new ArchiveError('damaged', `the archive is damaged or not ${format}: ${message}`);
  }
  return toArchiveError(error, `cannot read the archive as ${format}`, 'damaged');
}
