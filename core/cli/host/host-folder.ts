import path from 'node:path';
import type { CommandContext } from '../command-context.ts';

/**
 * A folder named on the command line, as the host of the run has to be told: one of this machine counts from the
 * current directory, one of a server's machine goes there as it is written.
 */
export const hostFolder = (
  { cwd, server }: Pick<CommandContext, 'cwd' | 'server'>,
  folder: string | undefined,
): string | undefined => (folder === undefined || server !== undefined ? folder : path.resolve(cwd, folder));
