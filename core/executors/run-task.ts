import type { ExecutorEnd, RunningStep, StepContext, StepTask } from './executor.ts';
import { openStepOutput, type StepOutput } from './step-output.ts';

/**
 * Runs work inside the engine as the whole attempt. What it rejects with is the attempt's error; what it returns is
 * its end. When it is asked to end and does not do so within the clean-up time, the attempt ends without it.
 */
export function runTask(context: StepContext, work: (task: StepTask) => Promise<ExecutorEnd>): RunningStep {
  const aborting = new AbortController();
  let abandon: () => void = () => {};
  const abandoned = new Promise<ExecutorEnd>((resolve) => {
    abandon = () => resolve({ error: 'it did not end within the clean-up time' });
  });
  const stop = (waitMs: number): void => {
    if (aborting.signal.aborted) return waitMs === 0 ? abandon() : undefined;
    aborting.abort();
    if (waitMs === 0) abandon();
    else context.clock.after(waitMs, abandon);
  };
  return {
    ended: attempt(context, work, aborting.signal, abandoned),
    stop: () => stop(context.cleanUpMs),
    kill: () => stop(0),
  };
}

async function attempt(
  context: StepContext,
  work: (task: StepTask) => Promise<ExecutorEnd>,
  signal: AbortSignal,
  abandoned: Promise<ExecutorEnd>,
): Promise<ExecutorEnd> {
  let output: StepOutput;
  try {
    output = await openStepOutput(context);
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
  const done = work({ signal, output }).catch((thrown: unknown): ExecutorEnd => ({
    error: messageOf(thrown),
  }));
  const end = await Promise.race([done, abandoned]);
  const lost = await output.close();
  return end.error === undefined && lost !== undefined ? { ...end, error: lost } : end;
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
