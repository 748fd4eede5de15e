import { argvExecutor } from './argv.ts';
import { commandExecutor } from './command.ts';
import { dagExecutor } from './dag.ts';
import type { RunningStep, StepContext } from './executor.ts';
import { scriptExecutor } from './script.ts';

/** Starts an attempt of the context's step by the executor for its kind of action. */
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
  }
}
