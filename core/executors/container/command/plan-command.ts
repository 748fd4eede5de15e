import type { ExecutorAction } from '../../../model/workflow/step.ts';
import type { StepContext } from '../../executor.ts';
import { chooseVariables } from '../../handed-over.ts';
import { findInterpreter } from '../../process/script.ts';
import { chooseShell } from '../../shell/choose-shell.ts';
import { liftReferences } from '../../shell/lift-references.ts';
import { readDialect } from '../../shell/shell-dialect.ts';
import { buildCommandArgv, buildScriptArgv, type Shell } from '../../shell/shell.ts';
import { planScript, type PlacedScript } from '../own/place-script.ts';
import { splitCommand, type ArgumentPart } from './split-command.ts';

/** What a step does in a container. */
export interface ContainerCommand {
  /** Program and arguments; absent when the step has neither command nor script. */
  readonly argv: readonly string[] | undefined;
  /** The step's own variables, and those its text names. */
  readonly env: Readonly<Record<string, string>>;
  /** `argv` names its path. */
  readonly script: PlacedScript | undefined;
}

type Plan = Pick<ContainerCommand, 'argv' | 'script'> & {
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
};

/**
 * Makes of a step's action what is run in a container. A command is program and arguments and meets no shell
 *, unless the step itself names one; a script is run by its interpreter line, else by the step's shell,
 * else by `sh`. Rejects when a value cannot be had.
 */
export async function planCommand(context: StepContext, action: ExecutorAction): Promise<ContainerCommand> {
  const { command, argv = [], script } = action;
  const texts = [command, script, ...argv].filter((text) => text !== undefined);
  const env = chooseVariables(context, texts);
  const { extraEnv, ...plan } = await planAction({ ...context, env: { ...context.env, ...env } }, action);
  return { ...plan, env: { ...env, ...extraEnv } };
}

async function planAction(context: StepContext, { command, argv, script }: ExecutorAction): Promise<Plan> {
  const words =
    argv?.map((text): ArgumentPart[] => [{ text, isLiteral: false }]) ??
    (command === undefined ? undefined : splitCommand(command));
  if (script !== undefined) return planScriptAction(context, script, words);
  if (words === undefined) return { argv: undefined, script: undefined };
  if (argv === undefined && command!.trim().includes('\n'))
    return planScriptAction(context, command!, undefined);
  const shell = findOwnShell(context);
  if (argv !== undefined || shell === undefined)
    return { argv: await evaluateWords(context, words), script: undefined };
  const { text, extraEnv } = await liftReferences(context, readDialect(shell.command), command!);
  return { argv: buildCommandArgv(shell, text, context.positional), script: undefined, extraEnv };
}

async function planScriptAction(
  context: StepContext,
  script: string,
  words: readonly (readonly ArgumentPart[])[] | undefined,
): Promise<Plan> {
  const program =
    words === undefined ? findInterpreter(context.step, script) : await evaluateWords(context, words);
  const shell = findOwnShell(context) ?? { command: ['sh'], chosenByStep: false };
  const dialect = readDialect(program ?? shell.command);
  const { text, extraEnv } = await liftReferences(context, dialect, script);
  const placed = planScript(text);
  // Only a shell gets the run's parameters, too: to another program more arguments may mean anything.
  const positional = dialect === undefined ? [] : context.positional;
  const argv =
    program === undefined
      ? buildScriptArgv(shell, placed.path, positional)
      : [...program, placed.path, ...positional];
  return { argv, script: placed, extraEnv };
}

const evaluateWords = (
  context: StepContext,
  words: readonly (readonly ArgumentPart[])[],
): Promise<string[]> => Promise.all(words.map((parts) => evaluateWord(context, parts)));

async function evaluateWord(context: StepContext, parts: readonly ArgumentPart[]): Promise<string> {
  const texts = parts.map(async ({ text, isLiteral }) => (isLiteral ? text : context.expand(text)));
  return (await Promise.all(texts)).join('');
}

/** The workflow's shell is one of this machine. */
function findOwnShell({ step, env }: StepContext): Shell | undefined {
  if (step.shell === undefined || step.shell.length === 0 || step.shell[0] === 'direct') return undefined;
  return chooseShell({ step, shell: step.shell, env });
}
