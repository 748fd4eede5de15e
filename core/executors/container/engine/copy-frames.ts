import type { StepOutput } from '../../step-output.ts';

type Sink = Pick<StepOutput, 'write'>;

const headerBytes = 8;

/**
 * Copies what a container or a program in it writes into a step's log, no faster than the log takes it. Without a
 * terminal the engine sends frames: a byte for the stream (1 stdout, 2 stderr), three of no use, four for the length,
 * then the text. Rejects when the connection breaks.
 * @param hasTerminal the stream is the text itself, stdout and stderr in one
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

/** Frames come in pieces of any size; the text of one is handed on as it comes. */
class FrameReader {
  readonly #output: Sink;
  readonly #header = Buffer.alloc(headerBytes);
  #headerLength = 0;
  /** Bytes of the frame that have not come yet. */
  #left = 0;

  constructor(output: Sink) {
    this.#output = output;
  }

  async read(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const text = chunk.subarray(at, at + this.#left);
        at += text.length;
        this.#left -= text.length;
        await this.#output.write(this.#header[0] === 2 ? 'stderr' : 'stdout', text);
        continue;
      }
      const piece = chunk.subarray(at, at + headerBytes - this.#headerLength);
      this.#header.set(piece, this.#headerLength);
      this.#headerLength += piece.length;
      at += piece.length;
      if (this.#headerLength < headerBytes) continue;
      this.#headerLength = 0;
      this.#left = this.#header.readUInt32BE(4);
    }
  }
}
