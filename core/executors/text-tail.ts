/** Characters that are shown of what a command wrote. */
const maxShown = 1000;
const maxLines = 10;
/** Bytes that are kept, so that a secret at the edge of what is shown is whole when it is hidden. */
const maxKept = 64 * 1024;

/** The end of a stream of bytes. */
export class TextTail {
  #kept: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): void {
    const joined = Buffer.concat([this.#kept, bytes.subarray(-maxKept)]);
    this.#kept = Buffer.from(joined.subarray(-maxKept));
  }

  /**
   * The last lines, a broken first one left out; empty when there is none.
   * @param hide masks secrets
   */
  text(hide: (text: string) => string): string {
    const text = hide(this.#kept.toString('utf8'));
    const shown = text.slice(-maxShown);
    const whole = text.length > maxShown ? shown.slice(shown.indexOf('\n') + 1) : shown;
    return whole.trim().split('\n').slice(-maxLines).join('\n');
  }
}
