import { AppError } from '../base/errors.ts';

/** What the system says about files, as a refusal; anything else is returned as it is. */
export function toFileError(thrown: unknown, what: string): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return thrown;
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return thrown;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const cure = isFull ? 'Free some space on that disk.' : 'Check the path and its permissions.';
  return new AppError(isFull ? 'storage_full' : 'home_unusable', `${what}: ${message}. ${cure}`, {
    cause: thrown,
    details: { hint: cure },
  });
}
