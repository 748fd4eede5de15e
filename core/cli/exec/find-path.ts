import { AppError } from '../../base/errors.ts';
import { lookAt } from '../arguments/look-at.ts';

/**
 * The path itself when what is wanted lies there. Throws `not_found` or `bad_request`, before anything is recorded.
 * @param what as it is called in the message
 */
export function findPath(file: string, what: string, isWanted: 'file' | 'folder'): string {
  const facts = lookAt(file);
  if (facts === undefined) throw new AppError('not_found', `The ${what} "${file}" does not exist.`);
  if (facts.isDirectory() !== (isWanted === 'folder'))
    throw new AppError('bad_request', `The ${what} "${file}" is not a ${isWanted}.`);
  return file;
}
