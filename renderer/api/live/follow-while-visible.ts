import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { StreamInput, StreamItem } from '../../../core/contract/operations.ts';

/** Delay before reopening a stream that the engine has closed. */
const againMs = 3000;

/**
 * Follows a stream of system changes while the page is visible: a hidden page has no stream, and is notified
 * when it becomes visible again. An error ends it, for example if this engine has no monitoring.
 * @param take called with each item, and whether it is the first of its stream
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
  const updateVisibility = (): void => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible && !stop) follow();
    if (isVisible) return;
    stop?.();
    stop = undefined;
  };
  updateVisibility();
  document.addEventListener('visibilitychange', updateVisibility);
  return () => {
    document.removeEventListener('visibilitychange', updateVisibility);
    stop?.();
    stop = undefined;
  };
}
