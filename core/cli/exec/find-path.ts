import { statSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';

/**
 * The path itself when what is wanted lies there. Throws `not_found` or `bad_request`, before anything is recorded.
 * @param what as it is called in the message
 */
export function findPath(file: string, what: string, isWanted: 'file' | 'folder'): string {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined) throw new AppError('not_found', `the ${what} ${file} does not exist`);
  if (facts.isDirectory() !== (isWanted === 'folder'))
    throw new AppError('bad_request', `the ${what} ${file} is not a ${isWanted}`);
  return file;
}
