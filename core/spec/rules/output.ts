import type { Report } from '../source/report.ts';
import type { Place } from '../source/source-node.ts';
import { checkVariableName } from './env.ts';

/** Reads `output`: the name of a variable; a leading `$` is dropped. */
export function readOutput(value: string | undefined, place: Place, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const name = value.trim().replace(/^\$/, '');
  checkVariableName(name, place.node.start, place.path, report);
  return name;
}
