import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { LogRef } from './log-ref.ts';

const chunkBytes = 1_048_576;

/** Reader that remembers its position in a log. */
export class LogReader {
  readonly #api: EngineApi;
  readonly #caller: Caller;
  readonly address: LogRef;
  #offset = 0;

  constructor(api: EngineApi, caller: Caller, address: LogRef) {
    this.#api = api;
    this.#caller = caller;
    this.address = address;
  }

  /**
   * Reads everything written since the last call, in chunks.
   * @returns whether the log is complete
   */
  async readNew(take: (bytes: Buffer) => Promise<void>): Promise<boolean> {
    for (;;) {
      const input = { ...this.address, offset: this.#offset, length: chunkBytes };
      // Sequential reads apply backpressure.
      const chunk = await this.#api.call('logs.bytes', input, this.#caller);
      const bytes = Buffer.from(chunk.data, 'base64');
      this.#offset += bytes.length;
      if (bytes.length > 0) await take(bytes);
      if (bytes.length === 0 || this.#offset >= chunk.size) return chunk.complete;
    }
  }
}
