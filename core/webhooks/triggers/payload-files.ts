import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

  /** Writes a payload for good, readable for this user only. Its absolute path. */
  write(place: PayloadPlace, text: string): string {
    const file = this.#fileOf(place);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // Whoever reads the file sees all of it, also when a later start writes it again.
    const unfinished = `${file}.new`;
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    renameSync(unfinished, file);
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
