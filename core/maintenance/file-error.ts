import { AppError } from '../base/errors.ts';
import { type FileFault, findFileFault } from '../base/text/describe-file-fault.ts';

const full: FileFault = { fault: 'no space left on the disk', cure: 'Free some space.' };

/** Converts a file system error to an application error; returns anything else unchanged. */
export function toFileError(thrown: unknown, what: string): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown;
  const { code, path } = thrown as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return thrown;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const { fault, cure } = isFull ? full : findFileFault(thrown);
  // The system's own message contains the path.
  const place = path === undefined || cure === undefined ? '' : `${path}: `;
  return new AppError(isFull ? 'storage_full' : 'home_unusable', `${what}: ${place}${fault}.`, {
    cause: thrown,
    details: { hint: cure ?? 'Check the path and its permissions.' },
  });
}
