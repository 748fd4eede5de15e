import { exitCodes } from '../../base/error-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { completionScripts, type CompletionShell } from '../completion/scripts.ts';

/** Prints the completion script of a shell. */
export async function runCompletion(context: CommandContext, shell: CompletionShell): Promise<number> {
  await context.terminal.stdout.write(completionScripts[shell]);
  return exitCodes.success;
}
