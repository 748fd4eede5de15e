import { basename } from 'node:path';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { Problem } from './case-result.ts';

/** Diagnostics in the normal form; `severity` picks one kind, where a list has both. */
export function toProblems(diagnostics: readonly Diagnostic[], severity?: Diagnostic['severity']): Problem[] {
  return diagnostics
    .filter((diagnostic) => severity === undefined || diagnostic.severity === severity)
    .map(({ file, line, column, path, message }) => ({
      file: basename(file),
      line,
      column,
      field: path,
      message,
    }));
}
