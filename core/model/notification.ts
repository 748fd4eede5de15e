import { pluralize } from '../base/text.ts';

/** What a notification rule can report. */
export const notificationEventNames = ['failed', 'recovered', 'late', 'long', 'waiting', 'missing'] as const;

export type NotificationEventName = (typeof notificationEventNames)[number];

/** What happened, after the name of the workflow. */
export const notificationVerbs: Readonly<Record<NotificationEventName, string>> = {
  failed: 'failed',
  recovered: 'recovered',
  late: 'is late',
  long: 'runs longer than expected',
  waiting: 'waits for approval',
  missing: 'did not start',
};

/** Fields of a channel whose values are secret. */
export const channelSecretFields = ['url', 'token', 'topic', 'authorization'] as const;
export type ChannelSecretField = (typeof channelSecretFields)[number];

/** Event type as emitted by the engine. */
export type NotificationEventType = `run.${NotificationEventName}`;

/** Something that users may be notified of. */
export interface NotificationEvent {
  readonly type: NotificationEventType;
  /** Name of the workflow, or of a monitored job that runs elsewhere. */
  readonly workflow: string;
  readonly runId?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** One sentence that says what happened, such as `Step "load" failed: exit code 1`. */
  readonly detail?: string | undefined;
  /** Failed runs in a row up to this event; default: 1. */
  readonly failures?: number | undefined;
  /**
   * Identifies the occurrence, such as `late etl 2026-01-31`. An event with the key of an earlier one is ignored, so
   * that several hosts can report the same occurrence.
   */
  readonly key?: string | undefined;
}

/** Daily times during which messages are held. */
export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
  /** IANA time zone; default: the machine's. */
  readonly zone: string | undefined;
}

/** Parses quiet hours such as `22:00-07:00` or `22:00-07:00 Europe/Berlin`; undefined if invalid. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^([01]?\d|2[0-3]):([0-5]\d) *- *([01]?\d|2[0-3]):([0-5]\d)(?: +(\S+))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, fromHour, fromMinute, toHour, toMinute, zone] = match;
  if (zone !== undefined && !isTimeZone(zone)) return undefined;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return from === to ? undefined : { from, to, zone };
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Returns the end of the quiet hours that contain an instant; undefined if none do. A change of the clock during the
 * quiet hours moves the end by as much.
 * @param now epoch milliseconds
 */
export function findQuietEnd({ from, to, zone }: QuietHours, now: number): number | undefined {
  const parts = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(now);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)!.value);
  const minute = read('hour') * 60 + read('minute');
  const isQuiet = from < to ? from <= minute && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const remaining = (to - minute + dayMinutes) % dayMinutes;
  return now - (now % 60_000) + remaining * 60_000;
}

const dayMinutes = 1440;

/** Formats which workflows a rule is for. @param all the text for all workflows */
export function formatSelection(
  selection: { readonly [Kind in 'names' | 'tags' | 'groups' | 'folders']?: readonly string[] | undefined },
  all: string,
): string {
  const { names = [], tags = [], groups = [], folders = [] } = selection;
  const selected = [
    ...(names.length > 5 ? [pluralize(names.length, 'workflow')] : names),
    ...tags.map((tag) => `tag ${tag}`),
    ...groups.map((group) => `group ${group}`),
    ...folders.map((folder) => `folder ${folder}`),
  ];
  return selected.length === 0 ? all : selected.join(', ');
}
