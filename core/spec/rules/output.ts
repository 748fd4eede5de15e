import type { Report } from '../report.ts';
import type { Place } from '../source-node.ts';
import { describeVariableName, isVariableName } from './env.ts';

/** Reads `output`: the name of a variable; a leading `$` is dropped (peer facts 1.3). */
export function readOutput(value: string | undefined, place: Place, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const name = value.trim().replace(/^\$/, '');
  if (!isVariableName(name)) report.error(place, describeVariableName(name));
  return name;
}
