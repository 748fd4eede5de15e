import type { ExecutorType } from '../model/step-types.ts';
import type { Dispose } from '../base/clock.ts';
import { argvExecutor, commandExecutor, scriptExecutor } from './process.ts';
import { dagExecutor } from './dag.ts';
import type { ActionExecutor, RunningStep, StepContext, ExecutorResult, StepTask } from './executor.ts';
import { withStepOutput } from './step-output.ts';

/**
 * Loads the executor of a step type on first use, because each brings a library that most runs do not need. The bundle
 * has a chunk for each file of this name.
 */
export async function loadExecutor(type: ExecutorType): Promise<ActionExecutor> {
  const { executor } = (await import(`./${type}-executor.ts`)) as { readonly executor: ActionExecutor };
  return executor;
}

/** Starts an attempt with the executor for its kind of action. */
export function startAction(context: StepContext): RunningStep {
  const { action } = context.step;
  switch (action.kind) {
    case 'command':
      return commandExecutor.start(context, action);
    case 'argv':
      return argvExecutor.start(context, action);
    case 'script':
      return scriptExecutor.start(context, action);
    case 'dag':
      return dagExecutor.start(context, action);
    case 'executor':
      return runTask(context, async (task) => {
        const executor = await loadExecutor(action.type);
        return executor.run(context, action, task);
      });
  }
}

/** Milliseconds that killed work has to release its resources. */
const graceMs = 3000;

/**
 * Runs work inside the engine as the whole attempt. If it rejects, the message is the attempt's error; what it returns
 * is the attempt's result. If it does not end within the clean-up time after a stop, it is killed, and after a short
 * grace period the attempt ends without it.
 */
export function runTask(
  context: StepContext,
  work: (task: StepTask) => Promise<ExecutorResult>,
): RunningStep {
  const stopping = new AbortController();
  const killing = new AbortController();
  let abandon: () => void = () => {};
  let disposeTimer: Dispose | undefined;
  const abandoned = new Promise<ExecutorResult>((resolve) => {
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
