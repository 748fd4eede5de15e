import type { ExecutorAction } from '../../model/workflow/step.ts';
import { splitWords } from '../../spec/split-words.ts';
import { chooseShell } from '../shell/choose-shell.ts';
import type { StepContext } from '../executor.ts';
import { bindVariables } from '../shell/bind-variables.ts';
import { findInterpreter } from '../process/script.ts';
import { buildCommandArgv, buildScriptArgv } from '../shell/shell.ts';
import { readDialect } from '../shell/shell-dialect.ts';
import { chooseVariables } from '../remote-environment.ts';
import { stopSignalOf } from '../stop-signal.ts';
import { scriptPath, type RemoteCommandSpec } from './remote-program.ts';

/** A command without its variables. */
type Plan = Pick<RemoteCommandSpec, 'argv' | 'script'> & {
  readonly extraEnv?: Readonly<Record<string, string>>;
};

/**
 * Converts a step's action to a command for the other host. The rules are the same as for a local step, with `sh` if
 * neither the step nor the workflow specifies a shell. Rejects if a value cannot be expanded.
 */
export async function planRemoteCommand(
  context: StepContext,
  action: ExecutorAction,
): Promise<RemoteCommandSpec> {
  const { command, argv = [], script } = action;
  const texts = [command, script, ...argv].filter((text) => text !== undefined);
  const env = chooseVariables(context, texts);
  const { extraEnv, ...plan } = await planAction({ ...context, env }, action);
  return {
    ...plan,
    env: { ...env, ...extraEnv },
    stopSignal: stopSignalOf(context),
    cleanUpSec: Math.ceil(context.cleanUpMs / 1000),
  };
}

async function planAction(context: StepContext, { command, argv, script }: ExecutorAction): Promise<Plan> {
  const words = argv ?? (script === undefined || command === undefined ? undefined : splitWords(command));
  if (words === undefined) {
    const text = script ?? command ?? '';
    const isScript = script !== undefined || text.trim().includes('\n');
    return isScript ? planScript(context, text) : planCommand(context, text);
  }
  const program = await Promise.all(words.map((word) => context.expand(word)));
  return script === undefined ? { argv: program, script } : planProgram(context, program, script);
}

const chooseRemoteShell = ({ step, shell, env }: StepContext) =>
  chooseShell({ step, shell: shell ?? ['sh'], env });

async function planCommand(context: StepContext, command: string): Promise<Plan> {
  const shell = chooseRemoteShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), command);
  return {
    argv: buildCommandArgv(shell, text, context.positional),
    script: undefined,
    ...withExtraEnv(extraEnv),
  };
}

async function planScript(context: StepContext, script: string): Promise<Plan> {
  const named = findInterpreter(context.step, script);
  if (named !== undefined) return planProgram(context, named, script);
  const shell = chooseRemoteShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), script);
  return {
    argv: buildScriptArgv(shell, scriptPath, context.positional),
    script: text,
    ...withExtraEnv(extraEnv),
  };
}

/** Only a shell receives the run's parameters: for another program, extra arguments could mean anything. */
async function planProgram(context: StepContext, program: readonly string[], script: string): Promise<Plan> {
  const dialect = readDialect(program);
  const { text, extraEnv } = await bindVariables(context, dialect, script);
  const positional = dialect === undefined ? [] : context.positional;
  return { argv: [...program, scriptPath, ...positional], script: text, ...withExtraEnv(extraEnv) };
}

const withExtraEnv = (extraEnv: Plan['extraEnv']): Pick<Plan, 'extraEnv'> =>
  extraEnv === undefined ? {} : { extraEnv };
