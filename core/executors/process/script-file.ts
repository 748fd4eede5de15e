import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { StepContext } from '../executor.ts';
import type { ProcessPlan } from './run-process.ts';
import {
  buildScriptArgv,
  findScriptExtension,
  readProgramName,
  readsRawCommandLine,
  type Shell,
} from '../shell/shell.ts';

/**
 * Writes a script to the attempt's directory for the shell.
 * @throws if it cannot be written
 */
export function planScript(context: StepContext, shell: Shell, text: string): ProcessPlan {
  const { file, cleanUp } = writeScript(context, text, findScriptExtension(shell));
  const argv = buildScriptArgv(shell, file, context.positional);
  return { argv, verbatimArguments: readsRawCommandLine(shell), cleanUp };
}

/** Writes a script and returns a command with its path after the program's own arguments and before the parameters. */
export function planProgram(
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
