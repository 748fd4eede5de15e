import { randomUUID } from 'node:crypto';
import { toIso } from '../../base/clock.ts';
import { truncate } from '../../base/text.ts';
import {
  notificationVerbs,
  type NotificationEvent,
  type NotificationEventName,
} from '../../model/notification.ts';
import type { NewEvent } from '../../store/types/webhooks.ts';

/** Content of a notification, from which the body for each service is built. It is stored, and sent again on replay. */
export interface NotificationContent {
  readonly event: NotificationEventName | 'digest' | 'test';
  readonly title: string;
  readonly text: string;
  readonly workflow: string;
  readonly runId?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  /** Failed runs in a row. */
  readonly failures?: number | undefined;
  /** Page of the run; absent without a public URL of the server. */
  readonly url?: string | undefined;
  /** Name of the rule. */
  readonly rule: string;
  /** Contents of a digest. */
  readonly items?: readonly NotificationContent[] | undefined;
}

/** Shows a notification on the desktop of this host. */
export type ShowNotice = (content: NotificationContent) => void;

/** Returns the name of an event in rules and workflows. */
export const eventName = ({ type }: Pick<NotificationEvent, 'type'>): NotificationEventName =>
  type.slice('run.'.length) as NotificationEventName;

/** Longest text of a message; services reject or cut longer ones. */
const maxText = 1500;

interface ComposeOptions {
  readonly rule: string;
  readonly isPing: boolean;
  readonly publicUrl: string | undefined;
}

/** @param options.publicUrl of the server, without a final slash */
export function composeNotification(
  event: Omit<NotificationEvent, 'key'>,
  { rule, isPing, publicUrl }: ComposeOptions,
): NotificationContent {
  const { workflow, runId, at, detail = '', failures = 1 } = event;
  const name = eventName(event);
  const inRow = name === 'failed' && failures > 1 ? ` (${failures} times in a row)` : '';
  return {
    event: name,
    title: `${workflow} ${notificationVerbs[name]}${inRow}`,
    text: truncate(detail, maxText),
    workflow,
    runId,
    at: toIso(at),
    ...(name === 'failed' && { failures }),
    url: publicUrl === undefined ? undefined : publicUrl + toPage(event, isPing),
    rule,
  };
}

function toPage({ workflow, runId }: Omit<NotificationEvent, 'key'>, isPing: boolean): string {
  const name = encodeURIComponent(workflow);
  if (isPing) return `/#/schedule?view=pings&ping=${name}`;
  return runId === undefined ? `/#/dags/${name}` : `/#/runs/${name}/${encodeURIComponent(runId)}`;
}

/** Most items that a digest lists. */
const maxItems = 20;

/** Combines held notifications into one. */
export function composeDigest(items: readonly NotificationContent[], rule: string): NotificationContent {
  const [first] = items;
  if (items.length === 1 && first !== undefined) return first;
  const counts = [...Map.groupBy(items, ({ event }) => event)].map(
    ([event, { length }]) =>
      `${length} ${event === 'digest' || event === 'test' ? event : shortNames[event]}`,
  );
  const lines = items
    .slice(-maxItems)
    .map(({ title, text }) => (text === '' ? title : `${title}: ${truncate(text, 120)}`));
  const hidden = items.length - lines.length;
  return {
    event: 'digest',
    title: `${items.length} notifications: ${counts.join(', ')}`,
    text: [...(hidden > 0 ? [`${hidden} earlier notifications are not listed.`] : []), ...lines].join('\n'),
    workflow: [...new Set(items.map(({ workflow }) => workflow))].join(', '),
    at: items.at(-1)!.at,
    rule,
    items: items.slice(-maxItems),
  };
}

const shortNames: Readonly<Record<NotificationEventName, string>> = {
  failed: 'failed',
  recovered: 'recovered',
  late: 'late',
  long: 'too long',
  waiting: 'waiting for approval',
  missing: 'not started',
};

/** The content of *Send a test*. */
export const composeTest = (channel: string, at: number): NotificationContent => ({
  event: 'test',
  title: 'Test notification from Stepwright',
  text: `Channel "${channel}" works.`,
  workflow: 'example',
  at: toIso(at),
  rule: 'test',
});

/** Name of the stored events of notifications. */
export const notificationEventType = 'notification';

/** Returns the stored event that sends a content to one channel. */
export const toStoredEvent = (content: NotificationContent, hookId: number): NewEvent => ({
  guid: randomUUID(),
  event: notificationEventType,
  payload: { ...JSON.parse(JSON.stringify({ action: content.event, ...content })) },
  scope: { hookId },
});
