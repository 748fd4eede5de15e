import type { Dispose } from '../../base/clock.ts';
import type { EngineParts } from '../engine-parts.ts';
import { SparingTeller } from './tell-sparingly.ts';

/** However much is offered and ended, it is told at most this often, milliseconds. */
const momentMs = 1000;

/** Calls back when what workers do is other than before, whichever process has changed it. */
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
    // Who asks for the workers is told why there is no answer.
    () => undefined,
  );
  return () => {
    isOver = true;
    teller.close();
    stopListening?.();
  };
}
