import type { ExecutorAction } from '../../model/step.ts';
import type { StepContext } from '../executor.ts';
import { chooseVariables } from '../evaluate-config.ts';
import { findInterpreter } from '../process.ts';
import { chooseShell, readDialect, buildCommandArgv, buildScriptArgv, type Shell } from '../shell/shell.ts';
import { bindVariables } from '../shell/bind-variables.ts';
import { planScript, type ContainerScript } from './run-created-container.ts';

/** The command of a step that runs in a container. */
export interface ContainerCommand {
  /** Program and arguments; absent if the step has neither a command nor a script. */
  readonly argv: readonly string[] | undefined;
  /** The step's own variables and the variables that its command refers to. */
  readonly env: Readonly<Record<string, string>>;
  /** The script file whose path is in `argv`. */
  readonly script: ContainerScript | undefined;
}

type Plan = Pick<ContainerCommand, 'argv' | 'script'> & {
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
};

/**
 * Converts a step's action to a command for a container. A command is a program with arguments and is not run by a
 * shell unless the step specifies one. A script is run by its interpreter line, else by the step's shell, else by
 * `sh`. Rejects if a value cannot be expanded.
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
  const shell = findStepShell(context);
  if (argv !== undefined || shell === undefined)
    return { argv: await evaluateWords(context, words), script: undefined };
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), command!);
  return { argv: buildCommandArgv(shell, text, context.positional), script: undefined, extraEnv };
}

async function planScriptAction(
  context: StepContext,
  script: string,
  words: readonly (readonly ArgumentPart[])[] | undefined,
): Promise<Plan> {
  const program =
    words === undefined ? findInterpreter(context.step, script) : await evaluateWords(context, words);
  const shell = findStepShell(context) ?? { command: ['sh'], chosenByStep: false };
  const dialect = readDialect(program ?? shell.command);
  const { text, extraEnv } = await bindVariables(context, dialect, script);
  const placed = planScript(text);
  // Only a shell receives the run's parameters: for another program, extra arguments could mean anything.
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

/** Returns the step's shell. The shell of the workflow is for this machine only. */
function findStepShell({ step, env }: StepContext): Shell | undefined {
  if (step.shell === undefined || step.shell.length === 0 || step.shell[0] === 'direct') return undefined;
  return chooseShell({ step, shell: step.shell, env });
}

/**
 * A part of an argument. Text in single quotes is left as written, because the program in the container may read it.
 */
interface ArgumentPart {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** Matches a unit: quotes, a command in backticks, a variable with its default, or an escaped character. */
const piecePattern =
  /"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|(?<space>\s+)|`(?:\\.|[^`\\])+`|\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\\.|./gs;

/**
 * Splits a command into its arguments like `splitWords`, but before values are inserted. Keeps text in single quotes
 * apart. A variable or a command in backticks is part of one argument, including its spaces.
 */
export function splitCommand(text: string): ArgumentPart[][] {
  const words: ArgumentPart[][] = [];
  let parts: ArgumentPart[] | undefined;
  for (const { 0: piece, groups = {} } of text.matchAll(piecePattern)) {
    const { double, single, space } = groups;
    if (space !== undefined) {
      parts = undefined;
      continue;
    }
    if (parts === undefined) words.push((parts = []));
    if (single !== undefined) parts.push({ text: single, isLiteral: true });
    else addText(parts, double === undefined ? piece : double.replaceAll(/\\(["\\])/g, '$1'));
  }
  return words;
}

/** Appends to the previous text, because an escape or a name may span several pieces. */
function addText(parts: ArgumentPart[], text: string): void {
  const last = parts.at(-1);
  if (last === undefined || last.isLiteral) parts.push({ text, isLiteral: false });
  else parts.splice(-1, 1, { text: last.text + text, isLiteral: false });
}
