import { statSync, type Stats } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { formatFsError } from '../../base/text/format-fs-error.ts';

/** Returns the stats of a path, if it exists. Throws `not_found` with the reason if it cannot be read. */
export function statIfExists(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${file}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}
