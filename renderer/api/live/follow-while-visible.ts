import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { StreamInput, StreamItem } from '../../../core/contract/operations.ts';

/** Before a stream that the engine has ended is asked for again. */
const againMs = 3000;

/**
 * Follows what changes in the system while somebody can see it: a window or tab that is out of sight has no stream, and
 * is told to look anew when it comes back. A refusal ends it, as when this engine does not measure the machine.
 * @param take gets each item, and whether it is the first one of its stream
 */
export function followWhileVisible(
  bridge: Bridge,
  clock: Pick<Clock, 'after'>,
  input: StreamInput<'system.changes'>,
  take: (item: StreamItem<'system.changes'>, isFirst: boolean) => void,
): Dispose {
  let stop: Dispose | undefined;
  const follow = (): void => {
    let isFirst = true;
    stop = bridge.follow('system.changes', input, {
      item(item) {
        take(item, isFirst);
        isFirst = false;
      },
      end(error) {
        if (stop && error?.code !== 'monitoring_off') stop = clock.after(againMs, follow);
      },
    });
  };
  const look = (): void => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible && !stop) follow();
    if (isVisible) return;
    stop?.();
    stop = undefined;
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    stop?.();
    stop = undefined;
  };
}
