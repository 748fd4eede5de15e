import { AppError } from '../base/errors.ts';
import { type FsErrorText, explainFsError } from '../base/text/format-fs-error.ts';

const diskFull: FsErrorText = { problem: 'no space left on the disk', remedy: 'Free some space.' };

/** Converts a file system error to an application error; returns anything else unchanged. */
export function toFileError(error: unknown, operation: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const { problem, remedy } = isFull ? diskFull : explainFsError(error);
  // The system's own message contains the path.
  const prefix = path === undefined || remedy === undefined ? '' : `${path}: `;
  return new AppError(isFull ? 'storage_full' : 'home_unusable', `${operation}: ${prefix}${problem}.`, {
    cause: error,
    details: { hint: remedy ?? 'Check the path and its permissions.' },
  });
}
