import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorMessage } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import type { AttemptExit } from '../model/run-event.ts';
import type { LaunchRequest, ExitResult } from '../process/launcher.ts';
import { parseSignal } from '../process/kill.ts';
import { maxArgumentBytes } from '../process/launch-failure.ts';
import type { Step } from '../model/step.ts';
import { attemptFiles } from '../model/run.ts';
import { formatFailure } from './step-output.ts';
import { ActionEnder, type RunningStep, type StepContext, type Executor } from './executor.ts';
import { bindVariables } from './shell/bind-variables.ts';
import {
  buildCommandArgv,
  readsRawCommandLine,
  chooseShell,
  readDialect,
  buildScriptArgv,
  findScriptExtension,
  readProgramName,
  type Shell,
} from './shell/shell.ts';

/** A process that an executor wants to run. */
interface ProcessPlan extends Pick<LaunchRequest, 'argv' | 'verbatimArguments'> {
  /** Variables in addition to the step's own. */
  readonly extraEnv?: Readonly<Record<string, string>>;
  /** Called when the process has ended or could not be started; must not throw. */
  readonly cleanUp?: () => void;
}

/**
 * Runs one process as the whole attempt. `prepare` returns the process to run; if it throws, the message is the
 * attempt's error.
 */
function runProcess(context: StepContext, prepare: () => ProcessPlan | Promise<ProcessPlan>): RunningStep {
  const attempt = new ProcessAttempt(context);
  return {
    ended: attempt.run(prepare),
    stop: () => attempt.ender.end('stop'),
    kill: () => attempt.ender.end('kill'),
  };
}

class ProcessAttempt {
  readonly ender = new ActionEnder();
  readonly #context: StepContext;

  constructor(context: StepContext) {
    this.#context = context;
  }

  async run(prepare: () => ProcessPlan | Promise<ProcessPlan>): Promise<AttemptExit> {
    let plan: ProcessPlan | undefined;
    try {
      plan = await prepare();
      if (this.ender.request !== undefined) return { error: 'stopped before the process started' };
      return await this.#runPlan(plan);
    } catch (error) {
      return { error: getErrorMessage(error) };
    } finally {
      plan?.cleanUp?.();
    }
  }

  async #runPlan(plan: ProcessPlan): Promise<AttemptExit> {
    const { launcher, attemptDir, onSpawned } = this.#context;
    const launched = await launcher.launch(this.#buildRequest(plan));
    if (!launched.ok) return { error: launched.error.message };
    failPoint('attempt.spawned');
    onSpawned(launched.value.pid, launched.value.pidStart);
    this.ender.attach(launched.value);
    const end = await launched.value.ended;
    const failure = formatFailure(end, {
      attemptDir,
      wasStopped: this.ender.request !== undefined,
      hasTerminal: this.#context.step.terminal !== undefined,
    });
    // If output could not be written, the attempt must not succeed, because other steps may rely on the file.
    return toAttemptExit(end, failure ?? end.outputError);
  }

  #buildRequest({ argv, extraEnv, verbatimArguments }: ProcessPlan): LaunchRequest {
    const { env, workingDir, attemptDir, cleanUpMs, step, relay } = this.#context;
    return {
      argv,
      env: extraEnv ? { ...env, ...extraEnv } : env,
      cwd: workingDir,
      attemptDir,
      stopSignal: parseSignal(step.signalOnStop ?? 'SIGTERM') ?? 'SIGTERM',
      cleanUpMs,
      verbatimArguments,
      terminal: step.terminal,
      relay,
      isCancelled: () => this.ender.request !== undefined,
    };
  }
}

function toAttemptExit({ exitCode, signal }: ExitResult, error: string | undefined): AttemptExit {
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(error === undefined ? {} : { error }),
  };
}

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

/** Runs a program with arguments, without a shell. Each element is expanded separately and stays one argument. */
export const argvExecutor: Executor<'argv'> = {
  kind: 'argv',
  start: (context, { argv }) =>
    runProcess(context, async () => ({
      argv: await Promise.all(argv.map((element) => context.expand(element))),
    })),
};

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

/**
 * Writes a script to the attempt's directory for the shell.
 * @throws if it cannot be written
 */
function planScript(context: StepContext, shell: Shell, text: string): ProcessPlan {
  const { file, cleanUp } = writeScript(context, text, findScriptExtension(shell));
  const argv = buildScriptArgv(shell, file, context.positional);
  return { argv, verbatimArguments: readsRawCommandLine(shell), cleanUp };
}

/** Writes a script and returns a command with its path after the program's own arguments and before the parameters. */
function planProgram(
  context: StepContext,
  program: readonly string[],
  text: string,
  positional: readonly string[],
): ProcessPlan {
  const extension = findScriptExtension({ command: program, chosenByStep: true });
  const { file, cleanUp } = writeScript(context, text, extension);
  return { argv: [...program, file, ...positional], cleanUp };
}

/**
 * Parses the program and argument of a `#!` line like the operating system: everything after the program is one
 * argument. The engine starts the interpreter itself, so that the script works on file systems without execute
 * permission and while another process still has it open. Returns undefined without a `#!` line.
 */
export function readInterpreter(text: string, platform: NodeJS.Platform): string[] | undefined {
  const match = /^#![ \t]*([^ \t\r\n]+)[ \t]*([^\r\n]*)/.exec(text);
  if (!match) return undefined;
  const [, program = '', rest = ''] = match;
  const argument = rest.trimEnd();
  // Windows has neither these paths nor `env`; the program is looked up in PATH.
  if (platform === 'win32' && readProgramName(program) === 'env')
    return argument.replace(/^-S\s+/, '').split(/\s+/);
  return [platform === 'win32' ? readProgramName(program) : program, ...(argument === '' ? [] : [argument])];
}

function writeScript({ attemptDir }: StepContext, text: string, extension: string) {
  const file = join(attemptDir, `${attemptFiles.script}${extension}`);
  const cleanUp = (): void => {
    try {
      rmSync(file, { force: true });
    } catch {
      // The log directory was deleted or made read-only in the meantime. The file is no longer needed.
    }
  };
  try {
    writeFileSync(file, text, { mode: 0o700 });
  } catch (error) {
    cleanUp();
    throw new Error(`cannot write the script to ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return { file, cleanUp };
}
