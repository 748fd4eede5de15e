import type { Channel } from '../terminal.ts';

const newline = 0x0a;
/** Maximum line length. Longer lines are split, so that output without line ends does not fill the memory. */
const maxLineLength = 1_048_576;

/** Writes a byte stream as whole lines with a prefix, so that lines of several streams do not mix. */
export class LineWriter {
  readonly #channel: Channel;
  readonly #prefix: Buffer;
  #partial: Buffer = Buffer.alloc(0);

  constructor(channel: Channel, prefix: string) {
    this.#channel = channel;
    this.#prefix = Buffer.from(prefix);
  }

  async write(bytes: Buffer): Promise<void> {
    const data = this.#partial.length === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const end = data.lastIndexOf(newline) + 1;
    this.#partial = data.subarray(end);
    await this.#writeLines(data.subarray(0, end));
    if (this.#partial.length > maxLineLength) await this.end();
  }

  /** Writes an incomplete last line. */
  async end(): Promise<void> {
    const partial = this.#partial;
    this.#partial = Buffer.alloc(0);
    if (partial.length > 0) await this.#writeLines(Buffer.concat([partial, Buffer.from('\n')]));
  }

  async #writeLines(data: Buffer): Promise<void> {
    if (data.length === 0) return;
    if (this.#prefix.length === 0) return this.#channel.write(data);
    const chunks: Buffer[] = [];
    for (let start = 0; start < data.length;) {
      const end = data.indexOf(newline, start) + 1;
      chunks.push(this.#prefix, data.subarray(start, end));
      start = end;
    }
    return this.#channel.write(Buffer.concat(chunks));
  }
}
