import type { JsonObject } from '../../base/json.ts';
import type { WebhookKind, HookOptions, LastResponse, MessageState } from '../../contract/webhook-views.ts';
import type { ChannelSettings } from './notifications.ts';

/** A signing secret; an old one has an expiry. */
export interface WebhookSecret {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly until?: number | undefined;
}

/** Configurable settings of a hook. */
export interface WebhookSettings {
  readonly kind: WebhookKind;
  /** `owner/name` of a repository, login of an organization, slug of an enterprise or app, … */
  readonly owner: string;
  readonly targetId: number;
  readonly url: string;
  readonly format: 'json' | 'form';
  /** The first one signs. */
  readonly secrets: readonly WebhookSecret[];
  readonly verifyTls: boolean;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly options: HookOptions;
  /** Of a notification channel, which only receives notifications. */
  readonly channel?: ChannelSettings | undefined;
}

/** A stored hook. Times are epoch milliseconds. */
export interface Webhook extends WebhookSettings {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Time since which every attempt has failed. */
  readonly failingSince?: number;
  /** Why it was disabled automatically. */
  readonly disabledReason?: string;
  readonly lastResponse?: LastResponse;
  /** Deleted, but retained until its deletion event has been delivered. */
  readonly deletedAt?: number;
}

/** Where an event happened. An absent field is unknown and matches no hook of that kind. */
export interface EventScope {
  /** `owner/name` */
  readonly repository?: string | undefined;
  readonly repositoryId?: number | undefined;
  readonly organization?: string | undefined;
  readonly enterprise?: string | undefined;
  readonly installationId?: number | undefined;
  /** Only for this hook. */
  readonly hookId?: number | undefined;
}

/** An event to send. */
export interface NewEvent {
  readonly guid: string;
  readonly event: string;
  readonly payload: JsonObject;
  /** Payload as JSON, if already serialized. */
  readonly json?: string;
  /** Payload as UTF-8, for a large event. */
  readonly encoded?: Buffer | undefined;
  readonly scope: EventScope;
}

/** A stored event. */
export interface StoredEvent {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action?: string;
  /** JSON; absent if it exceeds the size limit. */
  readonly payload?: string;
  /** Size of the JSON. */
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly scope: EventScope;
}

/** An event for one hook. Times are epoch milliseconds. */
export interface Message {
  readonly id: number;
  readonly eventId: number;
  readonly hookId: number;
  readonly state: MessageState;
  readonly attempts: number;
  readonly dueAt: number;
  readonly redelivery: boolean;
  readonly createdAt: number;
  readonly reason?: string;
}

/** A message with the event data that deliveries contain. */
export interface ListedMessage extends Message {
  readonly guid: string;
  readonly event: string;
  readonly action?: string;
}

/** A new message of an event for a hook; dropped if it has a reason. */
export interface NewMessage {
  readonly hookId: number;
  readonly reason?: string | undefined;
}

/** Stored outcome of an attempt. */
export interface AttemptRecord {
  /** Start time, epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  readonly delivered: boolean;
  readonly status: string;
  readonly statusCode?: number | undefined;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly response?:
    | {
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
        readonly cut: boolean;
      }
    | undefined;
}

/** State of a message after its attempts. */
export type MessageOutcome =
  | { readonly state: 'delivered' }
  | { readonly state: 'waiting'; readonly dueAt: number }
  | { readonly state: 'dead'; readonly reason: string };

/** Everything to store after an attempt. */
export interface SentMessage {
  readonly message: Pick<Message, 'id' | 'hookId'>;
  /** Epoch of the lease under which it was sent. */
  readonly epoch: number;
  readonly attempts: readonly AttemptRecord[];
  readonly end: MessageOutcome;
}

/** A listed delivery attempt. */
export interface Delivery extends AttemptRecord {
  readonly id: number;
  readonly hookId: number;
  readonly messageId: number;
  readonly guid: string;
  readonly event: string;
  readonly action?: string;
  readonly redelivery: boolean;
  readonly eventId: number;
  readonly installationId?: number;
  readonly repositoryId?: number;
}

/** A page of a list. */
export interface ListPage {
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** Changes of a hook after deliveries. */
export interface WebhookHealth {
  readonly failingSince: number | undefined;
  readonly lastResponse: LastResponse;
  /** Disables the hook, with the reason. */
  readonly disabledReason?: string | undefined;
}

/** Results to store. */
export interface DeliveryResult {
  readonly sent: readonly SentMessage[];
  readonly health: ReadonlyMap<number, WebhookHealth>;
}

/** Messages to take. */
export interface DeliveryClaim {
  readonly requests: readonly {
    readonly hookId: number;
    readonly limit: number;
    readonly ordered: boolean;
  }[];
  readonly epoch: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Next due time of a hook. */
export interface DueWebhook {
  readonly hookId: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** Messages to resend. */
export interface ReplayRequest {
  readonly hookId: number;
  /** Only events at or after this time, epoch milliseconds. */
  readonly since: number;
  /** Only messages that were never delivered. */
  readonly onlyFailed: boolean;
}

/** Store of hooks and their deliveries. */
export interface WebhookStore {
  /** Rejects with `already_exists` for the name of another channel. */
  createWebhook(settings: WebhookSettings, at: number): Promise<Webhook>;
  /**
   * Changes a hook and returns it; undefined if missing or deleted. Renames a channel in all rules. Rejects with
   * `already_exists` for the name of another channel.
   */
  updateWebhook(id: number, settings: WebhookSettings, at: number): Promise<Webhook | undefined>;
  /**
   * Deletes a hook; with an event, the hook is retained until it has been delivered. Waiting messages are
   * deleted.
   */
  deleteWebhook(id: number, at: number, farewell?: NewEvent): Promise<boolean>;
  findWebhook(id: number): Promise<Webhook | undefined>;
  listWebhooks(
    filter: { readonly kind?: WebhookKind | undefined; readonly owner?: string | undefined } & ListPage,
  ): Promise<Webhook[]>;
  /** Lists all hooks, including deleted ones with pending messages. */
  allWebhooks(): Promise<Webhook[]>;
  /** Increases with each change of a hook. */
  webhookVersion(): Promise<number>;

  /** Stores events to send. */
  addEvents(events: readonly NewEvent[], at: number): Promise<StoredEvent[]>;
  listNewEvents(limit: number): Promise<StoredEvent[]>;
  findEvent(id: number): Promise<StoredEvent | undefined>;
  /** Returns the newest event with this name of a repository. */
  findLatestEvent(event: string, repository: string): Promise<StoredEvent | undefined>;
  /** Creates messages of events, which then no longer count as new. */
  addMessages(
    made: readonly { readonly eventId: number; readonly messages: readonly NewMessage[] }[],
    at: number,
  ): Promise<void>;
  /** Creates a new message of an earlier event and returns its id. */
  addRedelivery(plan: { readonly eventId: number; readonly hookId: number }, at: number): Promise<number>;
  /** Creates new messages of many events; returns their number. */
  replay(plan: ReplayRequest, at: number): Promise<number>;

  /** Lists hooks with waiting messages and their earliest due time. */
  listDue(): Promise<DueWebhook[]>;
  /** Returns the earliest due time of a hook's waiting messages; for an ordered hook, that of the oldest. */
  nextDue(hookId: number, ordered: boolean): Promise<number | undefined>;
  /**
   * Stores outcomes and hook health, and takes due messages under a lease; of an ordered hook at most the oldest, if
   * due. One transaction.
   */
  exchange(done: DeliveryResult, wanted: DeliveryClaim): Promise<Message[]>;
  /** Returns messages in delivery under another lease to the waiting state. */
  returnClaimed(epoch: number, at: number): Promise<number>;
  /** Returns claimed messages that were not sent. */
  release(messageIds: readonly number[], epoch: number): Promise<void>;
  findMessage(id: number): Promise<ListedMessage | undefined>;
  listMessages(
    filter: {
      readonly hookId?: number | undefined;
      readonly guid?: string | undefined;
      readonly states: readonly MessageState[];
    } & ListPage,
  ): Promise<ListedMessage[]>;
  findDelivery(hookId: number, id: number): Promise<Delivery | undefined>;
  listDeliveries(
    filter: { readonly hookId: number; readonly outcome?: 'success' | 'failure' | undefined } & ListPage,
  ): Promise<Delivery[]>;
  /** Counts messages by state. */
  countMessages(hookId: number): Promise<Readonly<Partial<Record<MessageState, number>>>>;
  /** Deletes older events in batches; returns whether there may be more. */
  purge(before: number, portion: number): Promise<boolean>;
}
