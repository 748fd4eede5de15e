import path from 'node:path';
import { AppError, messageOf } from '../../base/errors.ts';
import type { CommandContext } from '../command-context.ts';
import { oneLine } from '../report/plain-text.ts';
import { findPath } from './find-path.ts';
import type { Variable } from './read-variable.ts';

/**
 * The variables of all these files of this machine; of two with the same name the later one counts. A value may use
 * what is above it, the files before, and the variables of this process. What is left out is told on stderr.
 * Throws `not_found` for a file that is missing, and `bad_request` for one that is no file of variables.
 * @param files from the current directory
 */
export async function readDotenvFiles(
  { cwd, environment, terminal }: Pick<CommandContext, 'cwd' | 'environment' | 'terminal'>,
  files: readonly string[],
): Promise<Variable[]> {
  if (files.length === 0) return [];
  const { readVariableFile } = await import('../../run/values/dotenv.ts');
  const known = new Map<string, string>();
  const tools = {
    lookup: (name: string) => known.get(name) ?? environment[name],
    warn: (message: string) => void terminal.stderr.write(`engine: warning: ${oneLine(message)}\n`),
  };
  for (const named of files) {
    const file = findPath(path.resolve(cwd, named), 'dotenv file', 'file');
    const variables = refuseUnreadable(file, () => readVariableFile(file, tools));
    for (const [name, value] of Object.entries(variables)) known.set(name, value);
  }
  return [...known].map(([name, value]) => ({ name, value }));
}

function refuseUnreadable<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (thrown) {
    throw new AppError('bad_request', `the dotenv file ${file} ${messageOf(thrown)}`);
  }
}
