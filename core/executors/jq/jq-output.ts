import type { JqOutputSink } from './jq-job.ts';

/** Maximum size of the output, in bytes. */
export const outputLimitBytes = 64 * 1024 * 1024;

/** Output is passed on in chunks of this size. */
const chunkBytes = 64 * 1024;

/** The output exceeds the limit. */
export class OutputLimitError extends Error {
  override readonly name = 'OutputLimitError';
}

/** Collects the small writes of jq and passes them on in larger chunks. */
export class JqOutput {
  readonly #sink: JqOutputSink;
  readonly #raw: boolean;
  readonly #streams = { stdout: new PendingText(), stderr: new PendingText() };
  #total = 0;

  /** @param raw stdout has one compact JSON value per line, which is converted to raw output */
  constructor(sink: JqOutputSink, raw: boolean) {
    this.#sink = sink;
    this.#raw = raw;
  }

  /**
   * Appends output. The output before the limit is passed on by `flush`.
   * @throws OutputLimitError
   */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > outputLimitBytes)
      throw new OutputLimitError(`the output exceeds ${outputLimitBytes / 1024 / 1024} MiB`);
    const pending = this.#streams[stream];
    pending.add(bytes);
    if (pending.shouldFlush) this.#hand(stream, pending.drainLines());
  }

  /** Passes on the remaining output, except an incomplete value. */
  flush(): void {
    this.#hand('stdout', this.#raw ? this.#streams.stdout.drainLines() : this.#streams.stdout.drainAll());
    this.#hand('stderr', this.#streams.stderr.drainAll());
  }

  #hand(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    this.#sink[stream](stream === 'stdout' && this.#raw ? writeRaw(text) : text);
  }
}

class PendingText {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #flushAt = chunkBytes;

  get shouldFlush(): boolean {
    return this.#size >= this.#flushAt;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  /** Takes whole lines only, so that no UTF-8 sequence is split. */
  drainLines(): string {
    const bytes = Buffer.concat(this.#pieces);
    const end = bytes.lastIndexOf('\n') + 1;
    this.#pieces = [bytes.subarray(end)];
    this.#size = bytes.length - end;
    // A long line is joined again only when its size has doubled, not for each chunk.
    this.#flushAt = Math.max(chunkBytes, 2 * this.#size);
    return bytes.toString('utf8', 0, end);
  }

  drainAll(): string {
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#size = 0;
    return text;
  }
}

/** Writes strings without quotes, null as an empty line, and other values as JSON. */
const writeRaw = (lines: string): string => lines.split('\n').map(writeRawLine).join('\n');

function writeRawLine(line: string): string {
  if (line === 'null') return '';
  return line.startsWith('"') ? String(JSON.parse(line)) : line;
}
