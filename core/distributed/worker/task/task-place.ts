import { createHash } from 'node:crypto';
import path from 'node:path';
import type { TaskHold } from '../../ports.ts';

/** Where a task is done. All paths are absolute. */
export interface TaskPlace {
  /** Everything of it; how its process ended lies here, too. */
  readonly folder: string;
  /** The attempt's: logs and script. It is the tag of its processes. */
  readonly attempt: string;
  /** Working directory of a step that names none. */
  readonly work: string;
}

const longestName = 100;

/** Below the worker's folder `<key>.<fence>`: another hand-over of the same task never meets what this one leaves. */
export function placeOf(tasksFolder: string, { key, fence }: TaskHold): TaskPlace {
  const folder = path.join(tasksFolder, `${safeName(key)}.${fence}`);
  return { folder, attempt: path.join(folder, 'attempt'), work: path.join(folder, 'work') };
}

/** Keys hold names of steps, which may be anything. */
function safeName(key: string): string {
  if (/^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$/.test(key) && key.length <= longestName) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `${key.replaceAll(/[^A-Za-z0-9_.@-]+/g, '_').slice(0, longestName)}~${hash}`;
}
