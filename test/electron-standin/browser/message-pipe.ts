import type { Readable, Writable } from 'node:stream';

/** Messages over two byte streams, each message ended by a NUL byte (Chromium's --remote-debugging-pipe). */
export class MessagePipe {
  readonly #output: Writable;
  /** The start of an incomplete message. */
  #unfinished: Buffer[] = [];

  constructor(output: Writable, input: Readable, onMessage: (text: string) => void, onClosed: () => void) {
    this.#output = output;
    input.on('data', (chunk: Buffer) => this.#receive(chunk, onMessage));
    input.on('close', onClosed);
    // An exiting browser breaks both streams; its exit is reported elsewhere.
    output.on('error', () => undefined);
    input.on('error', () => undefined);
  }

  send(text: string): void {
    this.#output.write(`${text}\0`);
  }

  #receive(chunk: Buffer, onMessage: (text: string) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const text = Buffer.concat([...this.#unfinished, chunk.subarray(start, end)]).toString('utf8');
      this.#unfinished = [];
      start = end + 1;
      onMessage(text);
    }
    if (start < chunk.length) this.#unfinished.push(chunk.subarray(start));
  }
}
