import path from 'node:path';
import type { BaseSource } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import { readText } from '../../library/read-text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import type { CommandContext } from '../command-context.ts';
import { findPath } from './find-path.ts';

/**
 * Reads the base configuration of `--base` from this machine, even if the run is on a server. Throws `not_found` if
 * missing, `bad_request` if not a file, `invalid_spec` if not text.
 * @param named path relative to the current directory
 */
export function readBaseFile({ cwd }: Pick<CommandContext, 'cwd'>, named: string): BaseSource {
  const file = findPath(path.resolve(cwd, named), 'base configuration', 'file');
  const { text, problem } = readText(file);
  if (problem === undefined) return { text, file };
  throw new AppError('invalid_spec', `Invalid base configuration: ${formatDiagnostic(problem)}`, {
    details: { diagnostics: [problem] },
  });
}
