import { findField, textOf, type SourceRef } from '../../../spec/source/source-node.ts';
import type { ReadValue } from '../config-key.ts';

/** A value that is parsed from its string alone. */
export function scalar<Value>(what: string, parse: (text: string) => Value | undefined): ReadValue<Value> {
  return (source, report) => {
    const value = source.node.kind === 'scalar' ? parse(textOf(source.node).trim()) : undefined;
    if (value === undefined) report.error(source, `"${source.path}" must be ${what}.`);
    return value;
  };
}

/** An integer within limits. */
export const wholeNumber = (min: number, max: number): ReadValue<number> =>
  scalar(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * A duration, converted to seconds: `45`, `30s`, `1h30m`, `7d`.
 * @param least minimum in seconds; 0 is also allowed if `orOff` says what it disables
 */
export function duration(min: number, orOff?: string): ReadValue<number> {
  const off = orOff === undefined ? '' : `, or 0 for ${orOff}`;
  const what = `a duration of at least ${min} seconds, such as 90 or 1h30m${off}`;
  return scalar(what, (text) => {
    const seconds = readSeconds(text);
    if (seconds === undefined || seconds > 100 * 365 * 86_400) return undefined;
    return seconds >= min || (seconds === 0 && orOff !== undefined) ? seconds : undefined;
  });
}

/** Converts a duration to seconds; undefined if it is invalid. */
export function readSeconds(text: string): number | undefined {
  if (/^\d{1,10}(\.\d{1,3})?$/.test(text)) return Number(text);
  if (!/^(\d{1,10}(\.\d{1,3})?(ms|s|m|h|d)){1,5}$/.test(text)) return undefined;
  const matches = [...text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)];
  return matches.reduce((sum, [, number, unit]) => sum + Number(number) * unitSeconds[unit!]!, 0);
}

/** `true` or `false`; also `1` and `0`, as in environment variables. */
export const flag: ReadValue<boolean> = scalar('true or false', (text) => {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
});

/** Only `true`, because false would be a restriction that has no effect here. */
export const trueOnly =
  (advice: string): ReadValue<boolean> =>
  (source, report, folder) => {
    const value = flag(source, report, folder);
    if (value !== false) return value;
    report.error(source, `"${source.path}" cannot be false here. ${advice}.`);
    return undefined;
  };

/** One of a set of words. */
export const oneOf = <Word extends string>(...words: readonly Word[]): ReadValue<Word> =>
  scalar(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text));

/** A time zone by its IANA name. */
export const timeZone: ReadValue<string | undefined> = scalar(
  'a time zone such as Europe/Berlin or UTC',
  (text) => {
    try {
      return text === '' ? undefined : Intl.DateTimeFormat('en', { timeZone: text }) && text;
    } catch {
      return undefined;
    }
  },
);

/** A list of values that are read one by one; invalid ones are omitted. */
export function listOf<Value>(example: string, read: ReadValue<Value>): ReadValue<readonly Value[]> {
  return (source, report, folder) => {
    const { node } = source;
    if (node.kind !== 'list') {
      report.error(source, `"${source.path}" must be a list, such as ${example}.`);
      return undefined;
    }
    const items = node.items.map((_, index) => read(findField(source, index) as SourceRef, report, folder));
    return items.filter((item) => item !== undefined);
  };
}
