import { rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fsyncDir } from '../../files/fsync-dir.ts';

/** Identity of a payload. */
export interface PayloadLocation {
  /** Opaque, consisting of letters, digits, `-` and `_`. */
  readonly receiverId: string;
  readonly receivedKey: number;
}

/** Payload files for the steps of webhook-triggered runs, retained as long as their delivery. */
export class PayloadFiles {
  readonly #folder: string;

  /** @param folder absolute; created with the first payload */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a payload durably, readable only by this user. Resolves with its absolute path. */
  async write(location: PayloadLocation, text: string): Promise<string> {
    const file = this.#fileOf(location);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Written atomically, because a later start may write the file again while it is read.
    await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
    await fsyncDir(path.dirname(file));
    return file;
  }

  remove(locations: readonly PayloadLocation[]): void {
    for (const payloadLocation of locations) rmSync(this.#fileOf(payloadLocation), { force: true });
  }

  /** Deletes all payloads of a receiver. */
  removeAll(receiverId: string): void {
    rmSync(path.join(this.#folder, receiverId), { recursive: true, force: true });
  }

  #fileOf({ receiverId, receivedKey }: PayloadLocation): string {
    return path.join(this.#folder, receiverId, `${receivedKey}.json`);
  }
}
