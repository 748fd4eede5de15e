import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { extractAll } from '@electron/asar';
import { makePackages } from '../../scripts/package/make-packages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const STANDIN = join(ROOT, 'test/electron-standin');

/** The `electronDist` of a package that can run here: the stand-in, with its source location next to it. */
export function makeElectronDist(folder: string): string {
  cpSync(join(STANDIN, 'packaging-dist'), folder, { recursive: true });
  writeFileSync(join(folder, 'standin-folder'), STANDIN);
  return folder;
}

/** The built app as electron-builder packages it for Linux, with the stand-in instead of Electron. */
export class PackedApp {
  readonly #output = mkdtempSync(join(tmpdir(), 'stepwright-package-'));
  readonly folder = join(this.#output, 'out/linux-unpacked');
  readonly archive = join(this.folder, 'resources/app.asar');
  /** The same, with the archive as a folder: plain Node reads no archives. It can be started. */
  readonly runnable = join(this.#output, 'runnable');
  readonly executable = join(this.runnable, 'stepwright');

  /** Packages the app. @param words additional arguments for electron-builder */
  async pack(words: readonly string[] = []): Promise<void> {
    const messages: string[] = [];
    const code = await makePackages({
      words: [
        '--linux',
        'dir',
        `-c.electronDist=${makeElectronDist(this.file('electron'))}`,
        `-c.directories.output=${join(this.#output, 'out')}`,
        ...words,
      ],
      build: () => undefined,
      printLine: (line) => void messages.push(line),
    });
    if (code !== 0) throw new Error(messages.join('\n'));
    cpSync(this.folder, this.runnable, { recursive: true });
    const archive = join(this.runnable, 'resources/app.asar');
    rmSync(archive);
    extractAll(this.archive, `${archive}.folder`);
    renameSync(`${archive}.folder`, archive);
  }

  /** A path for a file of the test. */
  file(name: string): string {
    mkdirSync(this.#output, { recursive: true });
    return join(this.#output, name);
  }

  remove(): void {
    rmSync(this.#output, { recursive: true, force: true, maxRetries: 5 });
  }
}
