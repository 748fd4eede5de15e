import { notificationEventNames, parseQuietHours } from '../../model/notification.ts';
import type { Notify } from '../../model/settings.ts';
import type { Expect } from '../../model/workflow.ts';
import type { AuthoredNotify, AuthoredExpect } from '../authored.ts';
import { type Report, getField, type SourceRef } from '../source.ts';
import { readDuration, readNumber } from './policies.ts';

/** Reads `notify`: names of channels for all events, or a map of events to channels. */
export function readNotify(
  value: AuthoredNotify | undefined,
  source: SourceRef,
  report: Report,
): Notify | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' || Array.isArray(value)) {
    const channels = readNames(value);
    const to = Object.fromEntries(notificationEventNames.map((name) => [name, channels]));
    return { to: channels.length === 0 ? {} : to, after: 1 };
  }
  const entries = notificationEventNames.flatMap((name) => {
    const channels = value[name];
    return channels === undefined ? [] : [[name, readNames(channels)] as const];
  });
  if (entries.length === 0)
    report.warning(
      source,
      `"notify" names no channel, so no one is notified. Add an event, such as "failed: ops-slack".`,
    );
  return {
    to: Object.fromEntries(entries.filter(([, channels]) => channels.length > 0)),
    after: Math.max(1, readNumber(value.after) ?? 1),
    once: value.once,
    quiet: readQuiet(value.quiet, source, report),
    digestSec: readDuration(value.digest) || undefined,
  };
}

const readNames = (names: string | readonly string[]): string[] => [
  ...new Set(
    [names]
      .flat()
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

function readQuiet(quiet: string | undefined, notify: SourceRef, report: Report): string | undefined {
  if (quiet === undefined || parseQuietHours(quiet) !== undefined) return quiet;
  report.error(
    getField(notify, 'quiet'),
    `Invalid quiet hours "${quiet.slice(0, 60)}". Use two different times and optionally a time zone, such as "22:00-07:00 Europe/Berlin".`,
  );
  return undefined;
}

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
