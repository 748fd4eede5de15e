import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { CommandContext } from '../../command-context.ts';

export interface SchemaInput {
  /** Kind of file. */
  readonly kind: 'workflow' | 'base';
  /** Output file. Default: stdout. */
  readonly output?: string;
}

/** Prints the JSON Schema of a kind of file, for an editor. Does not read the home. */
export async function runSchema(context: CommandContext, { kind, output }: SchemaInput): Promise<number> {
  const schema = readFileSync(path.join(context.schemasDir, `${kind}.schema.json`), 'utf8');
  if (output === undefined) {
    await context.terminal.stdout.write(schema);
    return exitCodes.success;
  }
  const file = path.resolve(context.cwd, output);
  try {
    if (isOtherFile(file)) {
      throw new AppError(
        'already_exists',
        `${output} exists and is not a JSON Schema. It was not overwritten.`,
        {
          details: { hint: 'Choose another file, or delete this one first.' },
        },
      );
    }
    writeFileSync(file, schema);
  } catch (error) {
    throw error instanceof AppError ? error : schemaFileError(error, output);
  }
  await context.terminal.stderr.write(`Wrote ${output}\n`);
  return exitCodes.success;
}

/** Whether the file is not a schema. An existing schema may be overwritten, other files are not. */
function isOtherFile(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) return false;
  return !/^\s*\{\s*"\$schema"/.test(readFileSync(file, 'utf8'));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the directory does not exist',
  ENOTDIR: 'the directory does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

function schemaFileError(error: unknown, output: string): AppError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new AppError('bad_request', `Cannot write ${output}: ${reasons[code] ?? message}.`, {
    cause: error,
    details: { hint: 'Choose a file in a writable directory.' },
  });
}
