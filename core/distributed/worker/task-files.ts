import { createHash } from 'node:crypto';
import path from 'node:path';
import type { TaskLease } from '../../store/types/dispatch.ts';

/** Directories of a task. All paths are absolute. */
export interface TaskPaths {
  /** Root directory, which also contains the exit status of its process. */
  readonly folder: string;
  /** Attempt directory with logs and script. Its path identifies the task's processes. */
  readonly attempt: string;
  /** Default working directory. */
  readonly work: string;
}

const maxNameLength = 100;

/**
 * Returns the directories of a task below `<key>.<fence>`, so that another claim of the same task has different ones.
 */
export function taskPaths(tasksFolder: string, { key, fence }: TaskLease): TaskPaths {
  const folder = path.join(tasksFolder, `${safeName(key)}.${fence}`);
  return { folder, attempt: path.join(folder, 'attempt'), work: path.join(folder, 'work') };
}

/** Escapes keys, which contain arbitrary step names. */
function safeName(key: string): string {
  if (/^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$/.test(key) && key.length <= maxNameLength) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `${key.replaceAll(/[^A-Za-z0-9_.@-]+/g, '_').slice(0, maxNameLength)}~${hash}`;
}
