import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';

/** A line without an end is handed on in pieces of this size, characters. */
const longestLine = 1024 * 1024;

/**
 * Takes what a program writes, hands it on in whole lines, and lets nothing through: whoever gets the lines writes
 * them elsewhere.
 */
export class LineStream extends Transform {
  readonly #take: (lines: string[]) => Promise<void>;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** @param take gets lines with their breaks; only the last one of all may have none. Must not reject */
  constructor(take: (lines: string[]) => Promise<void>) {
    super();
    this.#take = take;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#rest + this.#decoder.write(piece);
    const end = text.length > longestLine ? text.length : text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    void this.#hand(text.slice(0, end), done);
  }

  override _flush(done: TransformCallback): void {
    void this.#hand(this.#rest + this.#decoder.end(), done);
  }

  async #hand(text: string, done: TransformCallback): Promise<void> {
    if (text !== '') await this.#take(text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
    done();
  }
}
