import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** A place in a workflow where it stands still until the test lets it go on. */
export interface Gate {
  /** Shell text that waits. */
  readonly wait: string;
  open(): void;
}

/** @param folder an existing folder, outside which nothing is written */
export function makeLatch(folder: string, name: string): Gate {
  const file = path.join(folder, `${name}.gate`);
  return { wait: `until [ -e '${file}' ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}
