import type { ContinueOn } from '../../../model/workflow/step.ts';
import type { AuthoredContinueOn } from '../../authored.ts';
import type { Report } from '../../source/report.ts';
import { placeOf, type Place } from '../../source/source-node.ts';
import { checkPattern } from '../conditions.ts';
import { readExitCodes } from '../numbers.ts';

const none: ContinueOn = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false };

/** Reads `continueOn`: `skipped`, `failed`, or an object (seed 1, Step fields). */
export function readContinueOn(
  value: AuthoredContinueOn | undefined,
  place: Place,
  report: Report,
): ContinueOn {
  if (value === undefined) return none;
  if (typeof value === 'string') return readShorthand(value, place, report);
  const output = value.output === undefined ? [] : [value.output].flat();
  output.forEach((text, index) => checkPattern(text, placeOf(placeOf(place, 'output'), index), report));
  return {
    failure: value.failure ?? false,
    skipped: value.skipped ?? false,
    exitCodes: readExitCodes(value.exitCode),
    output,
    markSuccess: value.markSuccess ?? false,
  };
}

function readShorthand(word: string, place: Place, report: Report): ContinueOn {
  switch (word.toLowerCase()) {
    case 'failed':
      return { ...none, failure: true };
    case 'skipped':
      return { ...none, skipped: true };
    default:
      report.error(place, `"continueOn" is "skipped", "failed" or a map, not "${word.slice(0, 40)}".`);
      return none;
  }
}
