import type { Dispose } from '../../base/clock.ts';
import type { EngineContext } from '../engine-context.ts';
import { Throttle } from './throttle.ts';

/** Minimum interval of updates in milliseconds, however many tasks are dispatched and finished. */
const coalesceMs = 1000;

/** Calls back when tasks of workers have changed, by any process. */
export function followDispatch(
  { tasks, clock }: Pick<EngineContext, 'tasks' | 'clock'>,
  notify: () => void,
): Dispose {
  let isOver = false;
  let stopListening: Dispose | undefined;
  const throttle = new Throttle(clock, coalesceMs, notify);
  tasks().then(
    (store) => {
      if (!isOver) stopListening = store.onWake(throttle.note);
    },
    // The request for the list of workers reports the error.
    () => undefined,
  );
  return () => {
    isOver = true;
    throttle.close();
    stopListening?.();
  };
}
