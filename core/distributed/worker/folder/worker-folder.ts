import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Dispose } from '../../../base/clock.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { writeFileDurable } from '../../../files/write-file-durable.ts';
import { takeFileLock } from '../../../store/file-lock.ts';

/** Characters of worker ids, which occur in certificates and URLs. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Directory of one worker, used exclusively: its id, journal and tasks. */
export class WorkerFolder {
  readonly path: string;
  readonly #release: Dispose;

  private constructor(folder: string, release: Dispose) {
    this.path = folder;
    this.#release = release;
  }

  /** Throws `home_unusable` if it is not writable, `still_running` if another worker uses it. */
  static open(folder: string): WorkerFolder {
    try {
      mkdirSync(path.join(folder, 'tasks'), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(folder, 'probe'), '', { mode: 0o600 });
    } catch (error) {
      throw new AppError(
        'home_unusable',
        `Cannot write to the worker folder ${folder}: ${messageOf(error)}. Use another folder with --work-dir.`,
        { cause: error },
      );
    }
    const release = takeFileLock(path.join(folder, 'lock'));
    if (release !== undefined) return new WorkerFolder(folder, release);
    throw new AppError(
      'still_running',
      `The folder ${folder} is in use by another worker. Use another folder with --work-dir.`,
    );
  }

  get tasks(): string {
    return path.join(this.path, 'tasks');
  }

  get cache(): string {
    return path.join(this.path, 'cache');
  }

  /**
   * Returns the id of the worker: the requested one, which is stored, else the stored one, else a new one with the host
   * name. Throws `bad_request` for an invalid id.
   */
  chooseId(requested: string | undefined): string {
    const file = path.join(this.path, 'id');
    const id = requested ?? (readText(file) || `${machineName()}-${randomBytes(4).toString('hex')}`);
    if (!idPattern.test(id))
      throw new AppError(
        'bad_request',
        `Invalid worker id "${id.slice(0, 80)}". Use 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
      );
    // The credential is valid only for its id.
    if (readText(file) !== id) this.saveKey(undefined);
    writeFileDurable(file, `${id}\n`);
    return id;
  }

  /** Returns the credential from a coordinator. */
  readKey(): string | undefined {
    return readText(path.join(this.path, 'key')) || undefined;
  }

  saveKey(key: string | undefined): void {
    const file = path.join(this.path, 'key');
    if (key === undefined) rmSync(file, { force: true });
    else writeFileDurable(file, `${key}\n`);
  }

  close(): void {
    this.#release();
  }
}

const machineName = (): string =>
  hostname()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40) || 'worker';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
