import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';

/** A longer line is split into pieces of this size, in UTF-16 code units. */
const maxLineLength = 1024 * 1024;

/**
 * Splits the output of a program into whole lines and passes them to a callback. Has no readable output: the callback
 * writes the lines elsewhere.
 */
export class LineStream extends Transform {
  readonly #take: (lines: string[]) => Promise<void>;
  readonly #decoder = new StringDecoder('utf8');
  #partial = '';

  /**
   * @param take receives lines with their line breaks; only the last line of the stream may lack one. Must not reject
   */
  constructor(take: (lines: string[]) => Promise<void>) {
    super();
    this.#take = take;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#partial + this.#decoder.write(piece);
    const end = text.length > maxLineLength ? text.length : text.lastIndexOf('\n') + 1;
    this.#partial = text.slice(end);
    void this.#hand(text.slice(0, end), done);
  }

  override _flush(done: TransformCallback): void {
    void this.#hand(this.#partial + this.#decoder.end(), done);
  }

  async #hand(text: string, done: TransformCallback): Promise<void> {
    if (text !== '') await this.#take(text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
    done();
  }
}
