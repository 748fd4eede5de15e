import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Dispose } from '../../../base/clock.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { keepFile } from '../../../files/keep-file.ts';
import { takeFileLock } from '../../../store/file-lock.ts';

/** What ids of workers are made of; certificates and URLs carry them. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The folder of one worker: who it is, what it knows of its tasks, and the tasks themselves. Nobody else's. */
export class WorkerFolder {
  readonly path: string;
  readonly #release: Dispose;

  private constructor(folder: string, release: Dispose) {
    this.path = folder;
    this.#release = release;
  }

  /** Throws `home_unusable` when it cannot be written, `still_running` when another worker has it. */
  static open(folder: string): WorkerFolder {
    try {
      mkdirSync(path.join(folder, 'tasks'), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(folder, 'probe'), '', { mode: 0o600 });
    } catch (thrown) {
      throw new AppError(
        'home_unusable',
        `Cannot write to the worker folder ${folder}: ${messageOf(thrown)}. Use another folder with --work-dir.`,
        { cause: thrown },
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
   * The id of the worker: the one that is asked for, which is kept, else the one kept, else a new one with the name of
   * this machine. Throws `bad_request` for one that cannot be.
   */
  chooseId(wanted: string | undefined): string {
    const file = path.join(this.path, 'id');
    const id = wanted ?? (readText(file) || `${machineName()}-${randomBytes(4).toString('hex')}`);
    if (!idPattern.test(id))
      throw new AppError(
        'bad_request',
        `Invalid worker id "${id.slice(0, 80)}". Use 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
      );
    // The credential is for the id it was given for.
    if (readText(file) !== id) this.keepKey(undefined);
    keepFile(file, `${id}\n`);
    return id;
  }

  /** The credential that a coordinator has given it. */
  readKey(): string | undefined {
    return readText(path.join(this.path, 'key')) || undefined;
  }

  keepKey(key: string | undefined): void {
    const file = path.join(this.path, 'key');
    if (key === undefined) rmSync(file, { force: true });
    else keepFile(file, `${key}\n`);
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
