import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { LogAddress } from './log-address.ts';

const chunkBytes = 1_048_576;

/** A place in a log up to which it has been read. */
export class LogReader {
  readonly #api: EngineApi;
  readonly #caller: Caller;
  readonly address: LogAddress;
  #offset = 0;

  constructor(api: EngineApi, caller: Caller, address: LogAddress) {
    this.#api = api;
    this.#caller = caller;
    this.address = address;
  }

  /**
   * Hands over what has been written since the last call, in pieces that memory can hold.
   * @returns whether nothing more will come
   */
  async readOn(take: (bytes: Buffer) => Promise<void>): Promise<boolean> {
    for (;;) {
      const input = { ...this.address, offset: this.#offset, length: chunkBytes };
      // One piece after the other, so that a slow reader of ours slows this down.
      const piece = await this.#api.call('logs.bytes', input, this.#caller);
      const bytes = Buffer.from(piece.data, 'base64');
      this.#offset += bytes.length;
      if (bytes.length > 0) await take(bytes);
      if (bytes.length === 0 || this.#offset >= piece.size) return piece.complete;
    }
  }
}
