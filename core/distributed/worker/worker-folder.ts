import { randomBytes, createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import type { Dispose, Clock } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { writeFileDurable } from '../../process/write-file-durable.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';

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
        `Cannot write to the worker folder ${folder}: ${getErrorMessage(error)}. Use another folder with --work-dir.`,
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
        `Invalid worker ID "${id.slice(0, 80)}". Use 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
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

const dayMs = 86_400_000;

/** Files of reclaimed tasks. They exist nowhere else, so they are retained for a while. */
export class OrphanedWorkDirs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #keepMs: number;

  /** @param keepDays 0 deletes them immediately */
  constructor(folder: string, clock: Clock, keepDays: number) {
    this.#folder = folder;
    this.#clock = clock;
    this.#keepMs = keepDays * dayMs;
  }

  /**
   * Retains a task directory. Never rejects: if it cannot be moved, the next cleanup of the worker's directory deletes
   * it.
   */
  async keep(taskFolder: string): Promise<void> {
    try {
      if (this.#keepMs === 0) return await rm(taskFolder, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const target = path.join(this.#folder, path.basename(taskFolder));
      await rename(taskFolder, target);
      const now = this.#clock.now() / 1000;
      await utimes(target, now, now);
    } catch {
      // The directory does not exist, because the task did not start; or the disk is full or read-only, which is
      // reported elsewhere.
    }
  }

  /** Deletes expired files. Never rejects. */
  async prune(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const folder = path.join(this.#folder, name);
      const known = await stat(folder).catch(() => undefined);
      if (known !== undefined && this.#clock.now() - known.mtimeMs > this.#keepMs)
        await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** Describes an error of a full or read-only disk; undefined for other errors. */
export function formatStorageError(error: unknown, folder: string): string | undefined {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of the worker is full (${folder}): free some space`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `the worker cannot write to its folder ${folder}: fix the permissions, or use another folder with --work-dir`;
    case 'EIO':
      return `disk error in the worker folder ${folder}: check the disk`;
    case 'EMFILE':
    case 'ENFILE':
      return 'the worker has too many open files: raise the limit (ulimit -n), or reduce its slots';
    default:
      return undefined;
  }
}

/** Directories of a task. All paths are absolute. */
export interface TaskPaths {
  /** Root directory, which also contains the exit status of its process. */
  readonly folder: string;
  /** Attempt directory with logs and script. Its path identifies the task's processes. */
  readonly attempt: string;
  /** Default working directory. */
  readonly work: string;
}

const maxNameLength = 100;

/**
 * Returns the directories of a task below `<key>.<fence>`, so that another claim of the same task has different ones.
 */
export function taskPaths(tasksFolder: string, { key, fence }: TaskLease): TaskPaths {
  const folder = path.join(tasksFolder, `${safeName(key)}.${fence}`);
  return { folder, attempt: path.join(folder, 'attempt'), work: path.join(folder, 'work') };
}

/** Escapes keys, which contain arbitrary step names. */
function safeName(key: string): string {
  if (/^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$/.test(key) && key.length <= maxNameLength) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `${key.replaceAll(/[^A-Za-z0-9_.@-]+/g, '_').slice(0, maxNameLength)}~${hash}`;
}
