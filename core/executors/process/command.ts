import { maxArgumentBytes } from '../../process/launch/launch-failure.ts';
import type { Executor, StepContext } from '../executor.ts';
import { bindVariables } from '../shell/bind-variables.ts';
import { runProcess, type ProcessPlan } from './run-process.ts';
import { planScript } from './script-file.ts';
import { buildCommandArgv, readsRawCommandLine } from '../shell/shell.ts';
import { chooseShell } from '../shell/choose-shell.ts';
import { readDialect } from '../shell/shell-dialect.ts';

/**
 * Runs command text in the step's shell. No value is inserted into the text: the shell expands environment variables
 * and positional parameters.
 */
export const commandExecutor: Executor<'command'> = {
  kind: 'command',
  start: (context, action) => runProcess(context, () => planCommand(context, action.command)),
};

async function planCommand(context: StepContext, command: string): Promise<ProcessPlan> {
  const shell = chooseShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), command);
  // A single argument has a size limit; longer text is passed in a file.
  if (Buffer.byteLength(text) >= maxArgumentBytes) return { ...planScript(context, shell, text), extraEnv };
  const argv = buildCommandArgv(shell, text, context.positional);
  return { argv, extraEnv, verbatimArguments: readsRawCommandLine(shell) };
}
