/** Describes an error of a full or read-only disk; undefined for other errors. */
export function formatStorageError(error: unknown, folder: string): string | undefined {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of the worker is full (${folder}): free some space`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `the worker cannot write to its folder ${folder}: fix the permissions, or use another folder with --work-dir`;
    case 'EIO':
      return `disk error in the worker folder ${folder}: check the disk`;
    case 'EMFILE':
    case 'ENFILE':
      return 'the worker has too many open files: raise the limit (ulimit -n), or reduce its slots';
    default:
      return undefined;
  }
}
