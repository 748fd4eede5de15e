import type { ContinueOn } from '../../../model/workflow/step.ts';
import type { AuthoredContinueOn } from '../../authored.ts';
import type { Report } from '../../source/report.ts';
import { fieldOf, type SourceRef } from '../../source/source-node.ts';
import { checkPattern } from '../conditions.ts';
import { readExitCodes } from '../numbers.ts';

const none: ContinueOn = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false };

/** Reads `continueOn`: `skipped`, `failed`, or an object. */
export function readContinueOn(
  value: AuthoredContinueOn | undefined,
  source: SourceRef,
  report: Report,
): ContinueOn {
  if (value === undefined) return none;
  if (typeof value === 'string') return readShorthand(value, source, report);
  const output = value.output === undefined ? [] : [value.output].flat();
  output.forEach((text, index) => checkPattern(text, fieldOf(fieldOf(source, 'output'), index), report));
  const { failure, skipped, exitCode, markSuccess } = value;
  if (markSuccess && !failure && !skipped && exitCode === undefined && output.length === 0)
    report.warning(
      fieldOf(source, 'markSuccess'),
      '"markSuccess" has no effect alone. Add "failure: true", "exitCode" or "output".',
    );
  return {
    failure: failure ?? false,
    skipped: skipped ?? false,
    exitCodes: readExitCodes(exitCode),
    output,
    markSuccess: markSuccess ?? false,
  };
}

function readShorthand(word: string, source: SourceRef, report: Report): ContinueOn {
  switch (word.toLowerCase()) {
    case 'failed':
      return { ...none, failure: true };
    case 'skipped':
      return { ...none, skipped: true };
    default:
      report.error(source, `"continueOn" must be "skipped", "failed" or a map, not "${word.slice(0, 40)}".`);
      return none;
  }
}
