import type { Dispose } from '../../base/clock.ts';
import type { EngineParts } from '../engine-parts.ts';
import { SparingTeller } from './tell-sparingly.ts';

/** Minimum interval of updates in milliseconds, however many tasks are dispatched and finished. */
const momentMs = 1000;

/** Calls back when tasks of workers have changed, by any process. */
export function followDispatch(
  { tasks, clock }: Pick<EngineParts, 'tasks' | 'clock'>,
  tell: () => void,
): Dispose {
  let isOver = false;
  let stopListening: Dispose | undefined;
  const teller = new SparingTeller(clock, momentMs, tell);
  tasks().then(
    (store) => {
      if (!isOver) stopListening = store.onWake(teller.note);
    },
    // The request for the list of workers reports the error.
    () => undefined,
  );
  return () => {
    isOver = true;
    teller.close();
    stopListening?.();
  };
}
