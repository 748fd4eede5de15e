import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A point in a workflow where it blocks until the test lets it continue. */
export interface Latch {
  /** Shell code that waits. */
  readonly wait: string;
  open(): void;
}

/** @param folder an existing folder, outside which nothing is written */
export function createLatch(folder: string, name: string): Latch {
  const file = path.join(folder, `${name}.gate`);
  // A test before may have used the folder.
  rmSync(file, { force: true });
  return { wait: `until [ -e '${file}' ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}
