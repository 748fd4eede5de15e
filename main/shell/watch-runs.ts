import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import type { TrayPicture } from './tray.ts';

const recentShown = 5;
/** The tray is rebuilt at most this often, however many steps a second end. */
const restMs = 250;

/** Tells, now and whenever a run begins or ends on this home, what the tray should show. */
export function watchRuns(api: EngineApi, clock: Clock, show: (picture: TrayPicture) => void): Dispose {
  let disposeRest: Dispose | undefined;
  const look = async (): Promise<void> => {
    const [active, all] = await Promise.all([
      api.call('runs.list', { status: ['running', 'queued'], limit: 20 }, windowCaller),
      api.call('runs.list', { limit: recentShown * 4 }, windowCaller),
    ]);
    const recent = all.dagRuns.filter((run) => run.finishedAt !== undefined).slice(0, recentShown);
    show({ running: active.dagRuns, recent });
  };
  const lookSoon = (): void => {
    disposeRest ??= clock.after(restMs, () => {
      disposeRest = undefined;
      look().catch(() => {});
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
  look().catch(() => {});
  return () => {
    unfollow();
    disposeRest?.();
  };
}
