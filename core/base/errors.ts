import type { ErrorCode } from './error-codes.ts';
import type { JsonObject } from './json.ts';
import { latestRunId } from './ids.ts';

/** An expected error: the request cannot be fulfilled, and `code` specifies the cause. Never used for defects. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject | undefined;

  constructor(code: ErrorCode, message: string, options?: { details?: JsonObject; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options?.details;
  }
}

/** Creates the error for one field of a request; the problem follows the field's name: `steps: is missing`. */
export const fieldError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}`, { details: { field } });

/** The error body, the same on every transport. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: JsonObject;
}

/**
 * Node appends this advice to the message for a self-signed root certificate. It is for users that run `node`
 * themselves, but here the engine runs it.
 */
const nodeAdvice = '; if the root CA is installed locally, try running Node.js with --use-system-ca';

/** Returns the message of any thrown value. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message.replace(nodeAdvice, '') : String(error);

/**
 * Converts any thrown value to an `AppError`; anything else than an `AppError` is a defect and becomes
 * `internal_error`.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal_error', getErrorMessage(error), { cause: error });
}

/** Returns the body of an error. */
export function toErrorBody(error: AppError): ErrorBody {
  return error.details === undefined
    ? { code: error.code, message: error.message }
    : { code: error.code, message: error.message, details: error.details };
}

/** Creates the error for a run that does not exist. */
export const runNotFoundError = ({
  name,
  dagRunId,
}: {
  readonly name: string;
  readonly dagRunId: string;
}): AppError =>
  new AppError(
    'not_found',
    dagRunId === latestRunId ? `"${name}" has no runs yet.` : `Run "${dagRunId}" of "${name}" not found.`,
  );

/**
 * Creates the error for requests that end or delete a run, where "latest" is not allowed: it may be another run by the
 * time the request arrives.
 */
export const exactRunNotFoundError = (run: { readonly name: string; readonly dagRunId: string }): AppError =>
  run.dagRunId === latestRunId
    ? new AppError(
        'not_found',
        `Use the run ID of "${run.name}", because "${latestRunId}" can refer to another run by the time the request arrives.`,
      )
    : runNotFoundError(run);

/** Success with a value, or an expected failure with its reason. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** Returns a success. */
export const succeed = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** Returns an expected failure. */
export const fail = <Failure>(error: Failure): { ok: false; error: Failure } => ({ ok: false, error });

/** Why a file operation failed, as the end of a sentence. */
export interface FsErrorText {
  readonly problem: string;
  /** The solution, if there is a known one. */
  readonly remedy?: string;
}

const denied = {
  problem: 'permission denied',
  remedy: 'check the permissions of the file and its folder',
};
const tooMany = {
  problem: 'too many files are open',
  remedy: 'raise the limit of open files (ulimit -n)',
};

const full = {
  problem: 'no space left on the disk',
  remedy: 'free some space, or use another location',
};

const faults: Readonly<Record<string, FsErrorText>> = {
  ENOENT: { problem: 'no such file or folder', remedy: 'check the path' },
  EACCES: denied,
  EPERM: denied,
  EROFS: { problem: 'the disk is read-only', remedy: 'make it writable, or use another location' },
  ENOSPC: full,
  EDQUOT: full,
  EEXIST: {
    problem: 'another file or folder already exists there',
    remedy: 'remove it, or use another location',
  },
  EISDIR: { problem: 'it is a folder', remedy: 'expected a file' },
  ENOTDIR: { problem: 'a part of the path is a file', remedy: 'expected a folder' },
  EIO: { problem: 'disk input/output error', remedy: 'check the disk' },
  ELOOP: { problem: 'too many levels of symbolic links', remedy: 'fix the links' },
  ENAMETOOLONG: { problem: 'the file name is too long', remedy: 'use a shorter name' },
  EMFILE: tooMany,
  ENFILE: tooMany,
};

/** Describes a system error by its code; other errors by their message. */
export const explainFsError = (error: unknown): FsErrorText =>
  faults[String((error as { code?: unknown } | undefined)?.code)] ?? { problem: getErrorMessage(error) };

/** Describes the error and its solution in one string. */
export function formatFsError(error: unknown): string {
  const { problem, remedy } = explainFsError(error);
  return remedy === undefined ? problem : `${problem}; ${remedy}`;
}
