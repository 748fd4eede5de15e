import type { ExecutorType } from '../model/executor-config.ts';
import type { Dispose } from '../base/clock.ts';
import { argvExecutor, commandExecutor, scriptExecutor } from './process.ts';
import { dagExecutor } from './dag.ts';
import type { ActionExecutor, RunningStep, StepContext, ExecutorResult, StepTask } from './executor.ts';
import { withStepOutput } from './step-output.ts';

/** Executors are loaded on first use, because each brings a library that most runs do not need. */
const executors: Readonly<Record<ExecutorType, () => Promise<ActionExecutor>>> = {
  approval: async () => (await import('./approval.ts')).approvalExecutor,
  archive: async () => (await import('./archive/archive.ts')).archiveExecutor,
  container: async () => (await import('./container/container.ts')).containerExecutor,
  gha: async () => (await import('./actions/actions.ts')).actionsExecutor,
  http: async () => (await import('./http/http.ts')).httpExecutor,
  jq: async () => (await import('./jq/jq.ts')).jqExecutor,
  mail: async () => (await import('./mail.ts')).mailExecutor,
  sql: async () => (await import('./sql.ts')).sqlExecutor,
  ssh: async () => (await import('./ssh/ssh.ts')).sshExecutor,
};

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
        const executor = await executors[action.type]();
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
