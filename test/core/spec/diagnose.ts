import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Diagnostics of loading a text, one line each. */
export const diagnose = (text: string): string[] =>
  loadSpec({ text }).diagnostics.map((diagnostic) => formatDiagnostic(diagnostic));

/** The same for a workflow of one step, with each of its fields on a separate line. */
export const diagnoseStep = (...lines: string[]): string[] =>
  diagnose(`steps:\n  - ${lines.join('\n    ')}\n`);

/** The text of a file below `test/fixtures/workflows`, including the byte order mark. */
export function readFixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/workflows', name), 'utf8');
}
