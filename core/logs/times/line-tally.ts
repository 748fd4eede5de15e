import { openLog, readFully } from '../log-source.ts';

const newline = 10;
const chunkBytes = 262_144;

/** Counts the lines of a growing file that end before certain offsets, without reading any part twice. */
export class LineTally {
  readonly #file: string;
  #identity: string | undefined;
  #bytes = 0;
  #lines = 0;
  /** Earlier results, in case they are requested again. */
  readonly #known = new Map<number, number>([[0, 0]]);
  #counting: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * @param offsets bytes, in ascending order
   * @throws `home_unusable`
   */
  countUpTo(offsets: readonly number[]): Promise<number[]> {
    const counting = this.#counting.then(() => this.#count(offsets));
    this.#counting = counting.catch(() => {});
    return counting;
  }

  async #count(offsets: readonly number[]): Promise<number[]> {
    if (offsets.every((offset) => this.#known.has(offset)))
      return offsets.map((offset) => this.#known.get(offset)!);
    await using log = await openLog(this.#file);
    if (!log) return offsets.map(() => 0);
    if (log.identity !== this.#identity || log.size < this.#bytes) this.#restart(log.identity);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const counts: number[] = [];
    for (const offset of offsets) {
      while (this.#bytes < offset && !this.#known.has(offset)) {
        const readLength = Math.min(chunkBytes, offset - this.#bytes);
        const chunk = await readFully(log.handle, buffer.subarray(0, readLength), this.#bytes);
        if (chunk.length === 0) break;
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#lines += 1;
        this.#bytes += chunk.length;
      }
      const lines = this.#known.get(offset) ?? this.#lines;
      this.#known.set(offset, lines);
      counts.push(lines);
    }
    return counts;
  }

  #restart(identity: string): void {
    this.#identity = identity;
    this.#bytes = 0;
    this.#lines = 0;
    this.#known.clear();
    this.#known.set(0, 0);
  }
}
