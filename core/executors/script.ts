import { chooseShell } from './choose-shell.ts';
import type { Executor, StepContext } from './executor.ts';
import { liftReferences } from './lift-references.ts';
import { runProcess, type ProcessPlan } from './run-process.ts';
import { planProgram, planScript, readInterpreter } from './script-file.ts';
import { readDialect } from './shell-dialect.ts';

/**
 * An inline script (seed 1, `script`): by the step's command, else by its shell, else by its interpreter line, else
 * by the default shell.
 */
export const scriptExecutor: Executor<'script'> = {
  kind: 'script',
  start: (context, { script, command }) =>
    runProcess(context, () =>
      command === undefined ? planAction(context, script) : planCommandWithScript(context, command, script),
    ),
};

async function planAction(context: StepContext, script: string): Promise<ProcessPlan> {
  const { shell: ownShell, shellPackages } = context.step;
  const choosesShell = ownShell !== undefined || shellPackages !== undefined;
  const named = choosesShell ? undefined : readInterpreter(script, process.platform);
  if (named !== undefined) {
    const { text, extraEnv } = await liftReferences(context, readDialect(named), script);
    return { ...planProgram(context, named, text, context.positional), extraEnv };
  }
  const shell = chooseShell(context);
  const { text, extraEnv } = await liftReferences(context, readDialect(shell.command), script);
  return { ...planScript(context, shell, text), extraEnv };
}

/**
 * The program gets its own arguments, each expanded on its own, and then the script's path (peer 1.6). Only a shell
 * gets the run's parameters, too: to another program more arguments may mean anything.
 */
async function planCommandWithScript(
  context: StepContext,
  command: readonly string[],
  script: string,
): Promise<ProcessPlan> {
  const program = await Promise.all(command.map((element) => context.expand(element)));
  const dialect = readDialect(program);
  const { text, extraEnv } = await liftReferences(context, dialect, script);
  const positional = dialect === undefined ? [] : context.positional;
  return { ...planProgram(context, program, text, positional), extraEnv };
}
