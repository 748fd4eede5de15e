import { statSync, type Stats } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { describeFileFault } from '../../base/text/describe-file-fault.ts';

/** Returns the stats of a path, if it exists. Throws `not_found` with the reason if it cannot be read. */
export function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    throw new AppError('not_found', `Cannot read ${file}: ${describeFileFault(thrown)}`, {
      cause: thrown,
    });
  }
}
