import { watch, type FSWatcher } from 'node:fs';
import type { Clock, Dispose } from '../base/clock.ts';

/** Milliseconds that a burst of changes may last: editors write a file in several steps. */
const quietMs = 200;
/** Milliseconds between two checks without events, because not every file system reports changes. */
const pollMs = 30_000;

/**
 * Calls back when something in a folder may have changed: soon after a system event, and periodically. The folder may
 * not exist yet.
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
      // The folder does not exist or the system has no more watches; polling continues.
    }
  };
  open();
  const stop = clock.every(pollMs, () => {
    // Watch a replaced folder again.
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
