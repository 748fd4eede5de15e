import type { Step } from '../../model/workflow/step.ts';
import { chooseShell } from '../shell/choose-shell.ts';
import type { Executor, StepContext } from '../executor.ts';
import { bindVariables } from '../shell/bind-variables.ts';
import { runProcess, type ProcessPlan } from './run-process.ts';
import { planProgram, planScript, readInterpreter } from './script-file.ts';
import { readDialect } from '../shell/shell-dialect.ts';

/**
 * Runs an inline script with the step's command, else its shell, else the script's interpreter line, else the default
 * shell.
 */
export const scriptExecutor: Executor<'script'> = {
  kind: 'script',
  start: (context, { script, command }) =>
    runProcess(context, () =>
      command === undefined ? planAction(context, script) : planCommandWithScript(context, command, script),
    ),
};

async function planAction(context: StepContext, script: string): Promise<ProcessPlan> {
  const named = findInterpreter(context.step, script);
  if (named !== undefined) {
    const { text, extraEnv } = await bindVariables(context, readDialect(named), script);
    return { ...planProgram(context, named, text, context.positional), extraEnv };
  }
  const shell = chooseShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), script);
  return { ...planScript(context, shell, text), extraEnv };
}

/** Returns the program of the interpreter line, unless the step specifies what runs its script. */
export function findInterpreter(
  { shell, shellPackages }: Pick<Step, 'shell' | 'shellPackages'>,
  script: string,
): string[] | undefined {
  const choosesShell = shell !== undefined || shellPackages !== undefined;
  return choosesShell ? undefined : readInterpreter(script, process.platform);
}

/**
 * Plans a command with a script: the program receives its own arguments, each expanded separately, and then the
 * script's path. Only a shell receives the run's parameters: for another program, extra arguments could mean anything.
 */
async function planCommandWithScript(
  context: StepContext,
  command: readonly string[],
  script: string,
): Promise<ProcessPlan> {
  const program = await Promise.all(command.map((element) => context.expand(element)));
  const dialect = readDialect(program);
  const { text, extraEnv } = await bindVariables(context, dialect, script);
  const positional = dialect === undefined ? [] : context.positional;
  return { ...planProgram(context, program, text, positional), extraEnv };
}
