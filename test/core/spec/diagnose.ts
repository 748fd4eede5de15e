import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';

/** What loading a text says, a line for each diagnostic. */
export const diagnose = (text: string): string[] =>
  loadSpec({ text }).diagnostics.map((diagnostic) => formatDiagnostic(diagnostic));

/** The same for a workflow of one step, with each of its fields on a line of its own. */
export const diagnoseStep = (...lines: string[]): string[] =>
  diagnose(`steps:\n  - ${lines.join('\n    ')}\n`);
