import type { StepOutput } from '../step-output.ts';

type Sink = Pick<StepOutput, 'write'>;

const headerBytes = 8;

/**
 * Copies the output of a container or of a command in it to a step's log, with backpressure. Without a terminal, the
 * container engine sends frames: one byte for the stream (1 stdout, 2 stderr), three unused bytes, four bytes for the
 * length, then the data. Rejects if the connection breaks.
 * @param hasTerminal the stream is raw data with stdout and stderr combined
 */
export async function copyFrames(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  output: Sink,
  hasTerminal = false,
): Promise<void> {
  const reader = new FrameReader(output);
  for await (const chunk of stream) {
    if (hasTerminal) await output.write('stdout', chunk);
    else await reader.read(chunk);
  }
}

/** Parses frames from chunks of any size and passes the data on as it arrives. */
class FrameReader {
  readonly #output: Sink;
  readonly #header = Buffer.alloc(headerBytes);
  #headerLength = 0;
  /** Remaining bytes of the current frame. */
  #remaining = 0;

  constructor(output: Sink) {
    this.#output = output;
  }

  async read(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      if (this.#remaining > 0) {
        const text = chunk.subarray(at, at + this.#remaining);
        at += text.length;
        this.#remaining -= text.length;
        await this.#output.write(this.#header[0] === 2 ? 'stderr' : 'stdout', text);
        continue;
      }
      const piece = chunk.subarray(at, at + headerBytes - this.#headerLength);
      this.#header.set(piece, this.#headerLength);
      this.#headerLength += piece.length;
      at += piece.length;
      if (this.#headerLength < headerBytes) continue;
      this.#headerLength = 0;
      this.#remaining = this.#header.readUInt32BE(4);
    }
  }
}
