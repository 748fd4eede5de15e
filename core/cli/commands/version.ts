import { exitCodes } from '../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';

/** Tells the release. The entry answers the bare `engine version` itself, sooner. */
export async function runVersion(context: CommandContext, format: OutputFormat): Promise<number> {
  if (format === 'json') await printJson(context, { version: context.version });
  else await printLines(context, [`engine ${context.version}`]);
  return exitCodes.success;
}
