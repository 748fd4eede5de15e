import { notificationEventNames, parseQuietHours } from '../../model/notification.ts';
import type { Notify } from '../../model/settings.ts';
import type { AuthoredNotify } from '../authored.ts';
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
