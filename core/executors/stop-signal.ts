import { parseSignal } from '../process/ending/signals.ts';
import type { StepContext } from './executor.ts';

/** The signal that ends a step on another machine or in a container, as `kill -s` takes it: `TERM`. */
export const stopSignalOf = ({ step }: Pick<StepContext, 'step'>): string =>
  (parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM').slice('SIG'.length);
