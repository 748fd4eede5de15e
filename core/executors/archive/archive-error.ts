import { ConfigError } from '../evaluate-config.ts';

/** Exit codes of the step by class of failure. */
export const archiveExitCodes = {
  configuration: 2,
  missing: 3,
  exists: 4,
  permission: 5,
  format: 6,
  damaged: 7,
  password: 8,
  unsafe: 9,
  limit: 10,
  unsupported: 11,
  disk: 12,
  changed: 13,
  stopped: 14,
} as const;
export type ArchiveErrorClass = keyof typeof archiveExitCodes;

/** A failure with its class and a user-facing message. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly class: ArchiveErrorClass;

  constructor(errorClass: ArchiveErrorClass, message: string, options?: ErrorOptions) {
    super(message, options);
    this.class = errorClass;
  }

  /** Whether continuing with the next entry is pointless. */
  get isFinal(): boolean {
    return this.class === 'limit' || this.class === 'stopped' || this.class === 'disk';
  }
}

/** Messages for file system errors. */
const systemErrors: Readonly<Record<string, readonly [ArchiveErrorClass, string]>> = {
  ENOENT: ['missing', 'no such file or folder'],
  EEXIST: ['exists', 'already exists'],
  EACCES: ['permission', 'permission denied; check the permissions'],
  EPERM: ['permission', 'operation not permitted; check owner and permissions'],
  EROFS: ['permission', 'the file system is read-only'],
  ENOSPC: ['disk', 'no space left on the disk; free some space and try again'],
  EDQUOT: ['disk', 'disk quota exceeded; free some space and try again'],
  EFBIG: ['disk', 'the file would exceed the maximum file size'],
  EMFILE: ['disk', 'too many open files; raise the limit (ulimit -n)'],
  ENFILE: ['disk', 'too many open files on this machine'],
  EIO: ['disk', 'disk input/output error'],
  EISDIR: ['exists', 'a folder already exists there'],
  ENOTEMPTY: ['exists', 'a folder already exists there'],
  ENOTDIR: ['exists', 'a part of the path is not a folder'],
  ELOOP: ['unsafe', 'a part of the path is a symbolic link'],
  ENAMETOOLONG: ['unsupported', 'the name is too long for this file system'],
  EINVAL: ['unsupported', 'the file system does not allow this name'],
};

/**
 * Converts any error to an `ArchiveError`.
 * @param what the file or step that failed, for the start of the message
 * @param otherwise class of errors that are not file system errors
 */
export function toArchiveError(
  error: unknown,
  what: string,
  otherwise: ArchiveErrorClass = 'disk',
): ArchiveError {
  if (error instanceof ArchiveError) return error;
  if (error instanceof ConfigError) return new ArchiveError('configuration', error.message);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ABORT_ERR' || (error as Error).name === 'AbortError') return stopped();
  const known = code === undefined ? undefined : systemErrors[code];
  const cause = { cause: error };
  if (known !== undefined) return new ArchiveError(known[0], `${what}: ${known[1]} (${code})`, cause);
  return new ArchiveError(otherwise, `${what}: ${message}`, cause);
}

export const stopped = (): ArchiveError => new ArchiveError('stopped', 'the step was stopped');

/** Formats a name for a message: escapes control characters and truncates long names. */
export const quote = (name: string): string =>
  JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
