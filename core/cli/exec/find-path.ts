import { AppError } from '../../base/errors.ts';
import { statIfExists } from '../arguments/look-at.ts';

/**
 * Returns the path if it has the requested type. Throws `not_found` or `bad_request` before anything is recorded.
 * @param what name used in the message
 */
export function findPath(file: string, what: string, isWanted: 'file' | 'folder'): string {
  const stats = statIfExists(file);
  if (stats === undefined) throw new AppError('not_found', `The ${what} "${file}" does not exist.`);
  if (stats.isDirectory() !== (isWanted === 'folder'))
    throw new AppError('bad_request', `The ${what} "${file}" is not a ${isWanted}.`);
  return file;
}
