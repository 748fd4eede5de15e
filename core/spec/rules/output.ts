import type { Report } from '../source/report.ts';
import type { SourceRef } from '../source/source-node.ts';
import { checkVariableName } from './env.ts';

/** Reads `output`: the name of a variable; a leading `$` is dropped. */
export function readOutput(value: string | undefined, source: SourceRef, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const name = value.trim().replace(/^\$/, '');
  checkVariableName(name, source.node.start, source.path, report);
  return name;
}
