import path from 'node:path';
import type { BaseSource } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import { readText } from '../../library/read-text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import type { CommandContext } from '../command-context.ts';
import { findPath } from './find-path.ts';

/**
 * The base configuration that `--base` names, a file of this machine wherever the run takes place. Throws `not_found`
 * for one that is missing, `bad_request` for what is no file, `invalid_spec` for what is no text.
 * @param named from the current directory
 */
export function readBaseFile({ cwd }: Pick<CommandContext, 'cwd'>, named: string): BaseSource {
  const file = findPath(path.resolve(cwd, named), 'base configuration', 'file');
  const { text, fault } = readText(file);
  if (fault === undefined) return { text, file };
  throw new AppError('invalid_spec', `Invalid base configuration: ${formatDiagnostic(fault)}`, {
    details: { diagnostics: [fault] },
  });
}
