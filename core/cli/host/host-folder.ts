import path from 'node:path';
import type { CommandContext } from '../command-context.ts';

/**
 * Resolves a directory of the command line for the run's host: relative to the current directory for a local home,
 * unchanged for a server.
 */
export const hostFolder = (
  { cwd, server }: Pick<CommandContext, 'cwd' | 'server'>,
  folder: string | undefined,
): string | undefined => (folder === undefined || server !== undefined ? folder : path.resolve(cwd, folder));
