import { exitCodes } from '../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';

/** Prints the version. The entry point handles a bare `engine version` itself, which is faster. */
export async function runVersion(context: CommandContext, format: OutputFormat): Promise<number> {
  if (format === 'json') await printJson(context, { version: context.version });
  else await printLines(context, [`engine ${context.version}`]);
  return exitCodes.success;
}
