import { parseSignal } from '../process/kill/signals.ts';
import type { StepContext } from './executor.ts';

/** Returns the signal that stops a step on another machine or in a container, in the format of `kill -s`: `TERM`. */
export const stopSignalOf = ({ step }: Pick<StepContext, 'step'>): string =>
  (parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM').slice('SIG'.length);
