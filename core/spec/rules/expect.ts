import type { Expect } from '../../model/workflow.ts';
import type { AuthoredExpect } from '../authored.ts';
import { getField, type Report, type SourceRef } from '../source.ts';
import { readDuration } from './policies.ts';

const usualText = /^ *([0-9.]+) *x +usual *$/;

/** Reads `expect`. Its times of day keep their form as `HH:MM`, because they are those of a time zone. */
export function readExpect(
  value: AuthoredExpect | undefined,
  source: SourceRef,
  report: Report,
): Expect | undefined {
  if (value === undefined) return undefined;
  if (Object.keys(value).length === 0)
    report.warning(
      source,
      '"expect" has no effect without "by", "within", "longest" or "every". Add one of them.',
    );
  const read = (key: 'within' | 'longest' | 'every'): number | undefined => {
    const seconds = readDuration(value[key]);
    if (seconds === undefined || seconds > 0) return seconds;
    report.error(
      getField(source, key),
      `"${key}" must be more than 0. Use a duration such as 20m, or remove it.`,
    );
    return undefined;
  };
  const times = usualText.exec(String(value.longest ?? ''))?.[1];
  return {
    ...(value.by !== undefined && { by: value.by.padStart(5, '0') }),
    ...(value.within !== undefined && { withinSec: read('within') }),
    ...(value.longest !== undefined &&
      (times === undefined
        ? { longestSec: read('longest') }
        : { longestTimes: readTimes(times, getField(source, 'longest'), report) })),
    ...(value.every !== undefined && { everySec: read('every') }),
  };
}

/** A limit of the usual duration or less would report half of all runs. */
function readTimes(text: string, source: SourceRef, report: Report): number | undefined {
  const times = Number(text);
  if (times > 1) return times;
  report.error(
    source,
    `"longest" must be more than 1x usual, but is ${text}x. Use a factor such as "2x usual".`,
  );
  return undefined;
}
