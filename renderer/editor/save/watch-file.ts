import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { FileSync } from './file-sync.ts';

/** Pause before a broken stream is asked for again. */
const againMs = 3000;

/** The file is looked at this often besides: a change before the stream has begun is told to nobody. */
const lookMs = 5000;

/** Has the file looked at whenever somebody may have written it: told by the engine, or when the window gets the focus. */
export function watchFile(bridge: Bridge, sync: FileSync, fileName: string, clock: Clock): Dispose {
  let stop: Dispose | undefined;
  let isOver = false;
  // What cannot be read now is read at the next occasion.
  const look = (): void => void sync.look().catch(() => undefined);
  const follow = (): void => {
    stop = bridge.follow(
      'dags.changes',
      { fileName },
      {
        item: ({ kind, hash }) => {
          if (kind === 'removed') sync.noticeGone();
          else if (hash !== sync.knownHash) look();
        },
        end: () => {
          if (isOver) return;
          stop = clock.after(againMs, () => {
            look();
            follow();
          });
        },
      },
    );
  };
  follow();
  const stopLooking = clock.every(lookMs, look);
  window.addEventListener('focus', look);
  return () => {
    isOver = true;
    stopLooking();
    stop?.();
    window.removeEventListener('focus', look);
  };
}
