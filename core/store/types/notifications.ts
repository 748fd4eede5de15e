import type { channelKinds } from '../../contract/notifications.ts';
import type {
  ChannelSecretField,
  NotificationEvent,
  NotificationEventName,
} from '../../model/notification.ts';
import type { AttemptRecord, ListPage, Message, NewEvent, Webhook } from './webhooks.ts';

export type ChannelKind = (typeof channelKinds)[number];

/** Settings of a channel without its secrets. */
export interface ChannelSettings {
  readonly kind: ChannelKind;
  /** Recipients of `mail`. */
  readonly to?: readonly string[] | undefined;
  /** Sender of `mail`; default: that of the base configuration. */
  readonly from?: string | undefined;
  /** Address of the server of `telegram`, `ntfy` or `gotify`. */
  readonly server?: string | undefined;
  /** Chat of `telegram`. */
  readonly chatId?: string | undefined;
  /** JSON body of `url`, with `${field}` references. */
  readonly template?: string | undefined;
  /** Names of the stored secrets that contain fields. */
  readonly secrets?: Readonly<Partial<Record<ChannelSecretField, string>>> | undefined;
}

/** A notification channel: a webhook named by its `owner`. */
export interface Channel extends Webhook {
  readonly channel: ChannelSettings;
}

/** Which workflows a rule applies to: those that match any of the fields; without fields, all. */
export interface WorkflowSelection {
  /** Names, in which `*` matches any characters. */
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  /** Folders, including their subfolders. */
  readonly folders?: readonly string[] | undefined;
}

/** Who is notified of what, and when. */
export interface RuleSettings {
  readonly name: string;
  readonly enabled: boolean;
  readonly workflows: WorkflowSelection;
  readonly events: readonly NotificationEventName[];
  /** Names of channels. */
  readonly channels: readonly string[];
  /** Failed runs in a row before the first message. */
  readonly after: number;
  /** Only the first message of failures in a row. */
  readonly once: boolean;
  /** Such as `22:00-07:00 Europe/Berlin`; messages are held until their end. */
  readonly quiet?: string | undefined;
  /** Messages are collected for this time. */
  readonly digestSec?: number | undefined;
}

/** A stored rule. Times are epoch milliseconds. */
export interface NotificationRule extends RuleSettings {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An event that the rules have not decided yet. */
export interface StoredNotificationEvent extends Omit<NotificationEvent, 'key'> {
  readonly id: number;
  readonly failures: number;
}

/** A message that quiet hours or a digest delays. */
export interface HeldMessage {
  readonly hookId: number;
  readonly rule: string;
  /** JSON. */
  readonly content: string;
  readonly dueAt: number;
}

/** What the rules decided on an event. */
export interface NotificationDecision {
  readonly eventId: number;
  readonly send: readonly NewEvent[];
  readonly hold: readonly HeldMessage[];
}

/** Held messages of one rule for one channel that are due. */
export interface DueMessages {
  readonly hookId: number;
  readonly rule: string;
  readonly ids: readonly number[];
  readonly contents: readonly string[];
}

/** A message for a channel, with its last attempt. Times are epoch milliseconds. */
export interface NotificationMessage extends Message {
  readonly channel: string;
  /** JSON. */
  readonly content: string;
  readonly lastAttempt?: AttemptRecord | undefined;
}

/** Rules, and the events that they decide on. */
export interface NotificationStore {
  /** Stores an event for the notification rules. Stores nothing while there are no channels. */
  notifyEvent(event: NotificationEvent): Promise<void>;
  listChannels(): Promise<Channel[]>;
  listRules(): Promise<NotificationRule[]>;
  /** Rejects with `already_exists`. */
  createRule(settings: RuleSettings, at: number): Promise<NotificationRule>;
  /** Returns undefined if the rule is missing. Rejects with `already_exists`. */
  updateRule(id: number, settings: RuleSettings, at: number): Promise<NotificationRule | undefined>;
  deleteRule(id: number): Promise<boolean>;
  /** Returns when there is work (epoch milliseconds): 0 for new events, or when the next held message is due. */
  findNextWork(): Promise<number | undefined>;
  listNewEvents(limit: number): Promise<StoredNotificationEvent[]>;
  /** Stores what is to be sent and held. Ignores an event that another host has decided. */
  decide(decisions: readonly NotificationDecision[], at: number): Promise<void>;
  /** Returns when the messages that a rule holds for a channel are due. */
  findHeldDue(hookId: number, rule: string): Promise<number | undefined>;
  listDue(at: number): Promise<DueMessages[]>;
  /** Sends held messages as one. Does nothing if another host was faster. */
  releaseHeld(ids: readonly number[], event: NewEvent, at: number): Promise<void>;
  /** Lists messages, newest first. */
  listMessages(filter: { readonly hookId?: number | undefined } & ListPage): Promise<NotificationMessage[]>;
  findMessage(id: number): Promise<NotificationMessage | undefined>;
  /** Takes the messages for the desktop, which then count as delivered. Returns their contents as JSON. */
  takeDesktopMessages(at: number): Promise<string[]>;
}
