import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import type { TrayPicture } from './tray.ts';

const recentShown = 5;
/** Runs read to fill the menu and to count; beyond it the menu says "more than". */
const activeRead = 200;
/** The tray is rebuilt at most this often, however many runs a second begin and end. */
const restMs = 250;

/** Tells, now and whenever a run begins or ends on this home, what the tray should show. */
export function watchRuns(api: EngineApi, clock: Clock, show: (picture: TrayPicture) => void): Dispose {
  let stopped = false;
  let disposeRest: Dispose | undefined;
  const look = async (): Promise<void> => {
    const picture = await readPicture(api);
    if (!stopped) show(picture);
  };
  // A look that fails (the disk, a closing engine) leaves the tray as it is until the next event.
  const lookNow = (): void => void look().catch(() => undefined);
  const lookSoon = (): void => {
    disposeRest ??= clock.after(restMs, () => {
      disposeRest = undefined;
      lookNow();
    });
  };
  const unfollow = api.follow(
    'events.follow',
    {},
    {
      item: ({ event }) => {
        if (event.type === 'run.started' || event.type === 'run.finished') lookSoon();
      },
      end: () => {},
    },
    windowCaller,
  );
  lookNow();
  return () => {
    stopped = true;
    unfollow();
    disposeRest?.();
  };
}

async function readPicture(api: EngineApi): Promise<TrayPicture> {
  const [active, all] = await Promise.all([
    api.call('runs.list', { status: ['running', 'queued'], limit: activeRead }, windowCaller),
    api.call('runs.list', { limit: recentShown * 4 }, windowCaller),
  ]);
  return {
    running: active.dagRuns,
    more: active.nextCursor !== undefined,
    recent: all.dagRuns.filter((run) => run.finishedAt !== undefined).slice(0, recentShown),
  };
}
