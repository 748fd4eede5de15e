import { constants } from 'node:fs';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** Windows has none of these, whatever the types say. */
const optional: Readonly<Record<string, number | undefined>> = constants;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = optional;

/** How files and folders are opened. None follows a symbolic link in the last part of a path but the first two. */
export const openFlags = {
  /** A pipe in the place of a file must not hold up the engine until somebody writes to it. */
  read: O_RDONLY | O_NONBLOCK,
  /** A new file that can be read back; fails when there is something. */
  createAndRead: O_RDWR | O_CREAT | O_EXCL,
  readUnlinked: O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  folder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
} as const;

/** Whether folders can be opened, so that names can be looked up in them. */
export const opensFolders = O_DIRECTORY !== 0;
