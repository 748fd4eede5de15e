import path from 'node:path';
import { AppError, messageOf } from '../../base/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { oneLine } from '../report/plain-text.ts';
import { findPath } from './find-path.ts';

/**
 * Returns absolute paths of dotenv files after checking that the run can read them. The run reads them itself, so that
 * their values are not stored. Ignored entries are reported on stderr. Throws `not_found` for a missing file,
 * `bad_request` for an invalid file, or for any file if the run is on a server, which cannot read them.
 * @param named paths relative to the current directory
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
    assertReadable(file, () => Object.assign(known, readVariableFile(file, tools)));
    return file;
  });
}

function assertReadable(file: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new AppError('bad_request', `Dotenv file ${file}: ${messageOf(error)}`);
  }
}
