/** Maximum length of the shown output, in UTF-16 code units. */
const maxShown = 1000;
const maxLines = 10;
/** Bytes that are stored; more than are shown, so that a secret at the edge can be masked as a whole. */
const maxKept = 64 * 1024;

/** The last bytes of a stream. */
export class TailBuffer {
  #tail: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): void {
    const joined = Buffer.concat([this.#tail, bytes.subarray(-maxKept)]);
    this.#tail = Buffer.from(joined.subarray(-maxKept));
  }

  /**
   * Returns the last lines without an incomplete first line; empty if there are none.
   * @param hide masks secrets
   */
  text(maskSecrets: (text: string) => string): string {
    const text = maskSecrets(this.#tail.toString('utf8'));
    const shown = text.slice(-maxShown);
    const whole = text.length > maxShown ? shown.slice(shown.indexOf('\n') + 1) : shown;
    return whole.trim().split('\n').slice(-maxLines).join('\n');
  }
}
