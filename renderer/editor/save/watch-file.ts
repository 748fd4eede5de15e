import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { FileSync } from './file-sync.ts';

/** Delay before a broken stream is reconnected. */
const againMs = 3000;

/** The file is also polled at this interval, because a change before the stream has started is not reported. */
const pollIntervalMs = 5000;

/** Checks the file when the engine reports a change, when the window gets the focus, and periodically. */
export function watchFile(bridge: Bridge, sync: FileSync, fileName: string, clock: Clock): Dispose {
  let stop: Dispose | undefined;
  let isOver = false;
  // A failed read is retried on the next occasion.
  const checkFile = (): void => void sync.checkFile().catch(() => undefined);
  const follow = (): void => {
    stop = bridge.follow(
      'dags.changes',
      { fileName },
      {
        item: ({ kind, hash }) => {
          if (kind === 'removed') sync.noticeDeleted();
          else if (hash !== sync.knownHash) checkFile();
        },
        end: () => {
          if (isOver) return;
          stop = clock.after(againMs, () => {
            checkFile();
            follow();
          });
        },
      },
    );
  };
  follow();
  const stopLooking = clock.every(pollIntervalMs, checkFile);
  window.addEventListener('focus', checkFile);
  return () => {
    isOver = true;
    stopLooking();
    stop?.();
    window.removeEventListener('focus', checkFile);
  };
}
