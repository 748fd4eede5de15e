import { statSync, type Stats } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { describeFileFault } from '../../base/text/describe-file-fault.ts';

/** What lies at a path that somebody has named, if anything. Throws `not_found` where it cannot be looked at, with the reason. */
export function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (thrown) {
    throw new AppError('not_found', `Cannot read ${file}: ${describeFileFault(thrown)}`, {
      cause: thrown,
    });
  }
}
