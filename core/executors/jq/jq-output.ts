import type { JqSink } from './jq-job.ts';

/** What a query may print. */
export const outputLimitBytes = 64 * 1024 * 1024;

/** So much is handed on at once. */
const chunkBytes = 64 * 1024;

/** More was printed than may be. */
export class OutputLimitError extends Error {
  override readonly name = 'OutputLimitError';
}

/** Collects what jq writes in small pieces, and hands it on in texts. */
export class JqOutput {
  readonly #sink: JqSink;
  readonly #raw: boolean;
  readonly #streams = { stdout: new PendingText(), stderr: new PendingText() };
  #total = 0;

  /** @param raw stdout has one compact JSON text a line, which is written as `raw` has it */
  constructor(sink: JqSink, raw: boolean) {
    this.#sink = sink;
    this.#raw = raw;
  }

  /** Throws `OutputLimitError`; what was printed before is handed on by `flush`. */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > outputLimitBytes)
      throw new OutputLimitError(`the output exceeds ${outputLimitBytes / 1024 / 1024} MiB`);
    const pending = this.#streams[stream];
    pending.add(bytes);
    if (pending.isDue) this.#hand(stream, pending.takeLines());
  }

  /** Everything that is left, but for a value that broke off in the middle. */
  flush(): void {
    this.#hand('stdout', this.#raw ? this.#streams.stdout.takeLines() : this.#streams.stdout.takeAll());
    this.#hand('stderr', this.#streams.stderr.takeAll());
  }

  #hand(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    this.#sink[stream](stream === 'stdout' && this.#raw ? writeRaw(text) : text);
  }
}

class PendingText {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #due = chunkBytes;

  get isDue(): boolean {
    return this.#size >= this.#due;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  /** Whole lines only, so that no letter is cut in two either. */
  takeLines(): string {
    const bytes = Buffer.concat(this.#pieces);
    const end = bytes.lastIndexOf('\n') + 1;
    this.#pieces = [bytes.subarray(end)];
    this.#size = bytes.length - end;
    // A long line is joined again when it has doubled, not each time.
    this.#due = Math.max(chunkBytes, 2 * this.#size);
    return bytes.toString('utf8', 0, end);
  }

  takeAll(): string {
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#size = 0;
    return text;
  }
}

/** Texts without quotes, null as nothing, everything else as it is. */
const writeRaw = (lines: string): string => lines.split('\n').map(writeRawLine).join('\n');

function writeRawLine(line: string): string {
  if (line === 'null') return '';
  return line.startsWith('"') ? String(JSON.parse(line)) : line;
}
