import { watch, type FSWatcher } from 'node:fs';
import type { Clock, Dispose } from '../base/clock.ts';

/** How long a burst of changes may go on, milliseconds: editors write a file in several steps. */
const quietMs = 200;
/** How often the folder is looked at in any case: not every file system tells of changes. */
const pollMs = 30_000;

/**
 * Calls back when something in a folder may have changed: soon after the system tells of it, and from time to time in
 * any case. A folder that is not there yet is waited for.
 */
export function watchFolder(
  folder: string,
  clock: Pick<Clock, 'after' | 'every'>,
  onChange: () => void,
): Dispose {
  let watcher: FSWatcher | undefined;
  let cancel: Dispose | undefined;
  const changed = (): void => {
    if (cancel !== undefined) return;
    cancel = clock.after(quietMs, () => {
      cancel = undefined;
      onChange();
    });
  };
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const open = (): void => {
    if (watcher !== undefined) return;
    try {
      watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', close);
    } catch {
      // Not there, or no more watches to be had: the poll goes on.
    }
  };
  open();
  const stop = clock.every(pollMs, () => {
    // A folder that was replaced is watched anew.
    close();
    open();
    onChange();
  });
  return () => {
    close();
    stop();
    cancel?.();
  };
}
