/** What to say of a disk that does not take what a worker has to write; undefined when that is not the trouble. */
export function describeStorageTrouble(thrown: unknown, folder: string): string | undefined {
  switch ((thrown as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the worker's disk is full (${folder}): free some space there`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `the worker cannot write its folder ${folder}: correct its permissions, or name another one by --work-dir`;
    case 'EIO':
      return `the worker's disk reports an error (${folder}): check the disk`;
    case 'EMFILE':
    case 'ENFILE':
      return 'the worker has no more files to open: raise its limit (ulimit -n), or lower its slots';
    default:
      return undefined;
  }
}
