import { chooseShell } from './choose-shell.ts';
import type { Executor, StepContext } from './executor.ts';
import { liftReferences } from './lift-references.ts';
import { runProcess, type ProcessPlan } from './run-process.ts';
import { planInterpreter, planScript, readInterpreter } from './script-file.ts';

/** An inline script (seed 1, `script`): by the step's shell, else by its interpreter line, else by the default shell. */
export const scriptExecutor: Executor<'script'> = {
  kind: 'script',
  start: (context, { script }) => runProcess(context, () => planAction(context, script)),
};

async function planAction(context: StepContext, script: string): Promise<ProcessPlan> {
  const named = context.step.shell === undefined ? readInterpreter(script, process.platform) : undefined;
  const shell = named ? { command: named, chosenByStep: true } : chooseShell(context);
  const { text, extraEnv } = await liftReferences(context, shell, script);
  const plan = named ? planInterpreter(context, named, text) : planScript(context, shell, text);
  return { ...plan, extraEnv };
}
