/** Bytes that are shown of what a command wrote. */
const maxBytes = 1000;
const maxLines = 10;

/** The end of a stream of bytes. */
export class TextTail {
  #kept: Buffer = Buffer.alloc(0);
  #total = 0;

  push(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const joined = Buffer.concat([this.#kept, bytes.subarray(-maxBytes)]);
    this.#kept = Buffer.from(joined.subarray(-maxBytes));
  }

  /** The last lines, a broken first one left out; empty when there is none. */
  text(): string {
    const text = this.#kept.toString('utf8');
    const whole = this.#total > maxBytes ? text.slice(text.indexOf('\n') + 1) : text;
    return whole.trim().split('\n').slice(-maxLines).join('\n');
  }
}
