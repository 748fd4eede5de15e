import type { Dispose } from '../base/clock.ts';
import type { ExecutorEnd, RunningStep, StepContext, StepTask } from './executor.ts';
import { withStepOutput } from './step-output.ts';

/** How long work that was told to end at once may take to give back what it holds, milliseconds. */
const graceMs = 3000;

/**
 * Runs work inside the engine as the whole attempt. What it rejects with is the attempt's error; what it returns is
 * its end. When it is asked to end and does not do so within the clean-up time, it is told to end at once, and a
 * moment later the attempt ends without it.
 */
export function runTask(context: StepContext, work: (task: StepTask) => Promise<ExecutorEnd>): RunningStep {
  const stopping = new AbortController();
  const killing = new AbortController();
  let abandon: () => void = () => {};
  let disposeTimer: Dispose | undefined;
  const abandoned = new Promise<ExecutorEnd>((resolve) => {
    abandon = () => resolve({ error: 'did not end within the clean-up time' });
  });
  const kill = (): void => {
    if (killing.signal.aborted) return;
    stopping.abort();
    killing.abort();
    disposeTimer?.();
    disposeTimer = context.clock.after(graceMs, abandon);
  };
  const stop = (): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    disposeTimer = context.clock.after(context.cleanUpMs, kill);
  };
  const signals = { signal: stopping.signal, killing: killing.signal };
  const ended = withStepOutput(context, (output) => Promise.race([work({ ...signals, output }), abandoned]));
  return { ended: ended.finally(() => disposeTimer?.()), stop, kill };
}
