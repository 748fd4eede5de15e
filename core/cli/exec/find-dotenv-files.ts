import path from 'node:path';
import { AppError, messageOf } from '../../base/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { oneLine } from '../report/plain-text.ts';
import { findPath } from './find-path.ts';

/**
 * Absolute paths of files of variables of this machine, after a look at whether the run will be able to read them: it
 * reads them itself, so that their values are kept nowhere. What will be left out is told on stderr. Throws
 * `not_found` for one that is missing, `bad_request` for one that is no file of variables, or for any when the run
 * takes place on a server, which cannot read them.
 * @param named from the current directory
 */
export async function findDotenvFiles(
  { cwd, environment, terminal, server }: Pick<CommandContext, 'cwd' | 'environment' | 'terminal' | 'server'>,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return [];
  if (server !== undefined) {
    throw new AppError(
      'bad_request',
      'Option --dotenv reads a local file, but the run executes on the server.',
      {
        details: {
          hint: 'Set single values with --env (stored and shown with the run), or run a workflow whose "secretFiles" names a file on the server.',
        },
      },
    );
  }
  const { readVariableFile } = await import('../../run/values/dotenv.ts');
  const known: Record<string, string> = {};
  const tools = {
    lookup: (name: string) => known[name] ?? environment[name],
    warn: (message: string) => void terminal.stderr.write(`engine: warning: ${oneLine(message)}\n`),
  };
  return named.map((each) => {
    const file = findPath(path.resolve(cwd, each), 'dotenv file', 'file');
    refuseUnreadable(file, () => Object.assign(known, readVariableFile(file, tools)));
    return file;
  });
}

function refuseUnreadable(file: string, read: () => unknown): void {
  try {
    read();
  } catch (thrown) {
    throw new AppError('bad_request', `Dotenv file ${file}: ${messageOf(thrown)}`);
  }
}
