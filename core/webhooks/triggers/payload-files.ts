import { rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/sync-folder.ts';

/** Where a payload belongs. */
export interface PayloadPlace {
  /** Opaque, of letters, digits, `-` and `_`. */
  readonly receiverId: string;
  readonly receivedKey: number;
}

/** Payloads as files, for the steps of the runs that they have started; each as long as its delivery is kept. */
export class PayloadFiles {
  readonly #folder: string;

  /** @param folder absolute; made when the first payload is written */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a payload for good, readable for this user only. Resolves to its absolute path. */
  async write(place: PayloadPlace, text: string): Promise<string> {
    const file = this.#fileOf(place);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Whoever reads the file sees all of it, also when a later start writes it again.
    await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
    await syncFolder(path.dirname(file));
    return file;
  }

  remove(places: readonly PayloadPlace[]): void {
    for (const place of places) rmSync(this.#fileOf(place), { force: true });
  }

  /** All of one receiver. */
  removeAll(receiverId: string): void {
    rmSync(path.join(this.#folder, receiverId), { recursive: true, force: true });
  }

  #fileOf({ receiverId, receivedKey }: PayloadPlace): string {
    return path.join(this.#folder, receiverId, `${receivedKey}.json`);
  }
}
