import { constants } from 'node:fs';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** Undefined on Windows, although the types say otherwise. */
const optional: Readonly<Record<string, number | undefined>> = constants;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = optional;

/**
 * Flags for opening files and folders. Except for the first two, none follows a symbolic link in the last path
 * segment.
 */
export const openFlags = {
  /** O_NONBLOCK: opening a pipe instead of a file must not block until a writer opens it. */
  read: O_RDONLY | O_NONBLOCK,
  /** A new file that can be read back; fails if the path exists. */
  createAndRead: O_RDWR | O_CREAT | O_EXCL,
  readUnlinked: O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
} as const;

/** Whether folders can be opened, so that names can be looked up relative to them. */
export const canOpenFolders = O_DIRECTORY !== 0;
