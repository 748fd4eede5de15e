import type { JsonObject } from '../../base/json.ts';
import type { HookKind } from '../../contract/webhooks/events.ts';
import type { HookOptions, LastResponse, MessageState } from '../../contract/webhooks/hook-views.ts';

/** A secret that signs; with an end, the one before it, which counts until then. */
export interface HookSecret {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly until?: number | undefined;
}

/** What somebody decides of a hook. */
export interface HookSettings {
  readonly kind: HookKind;
  /** `owner/name` of a repository, the login of an organization, the slug of an enterprise or app, … */
  readonly owner: string;
  readonly targetId: number;
  readonly url: string;
  readonly format: 'json' | 'form';
  /** The one that signs first. */
  readonly secrets: readonly HookSecret[];
  readonly verifyTls: boolean;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly options: HookOptions;
}

/** A hook as it is kept. Times are epoch milliseconds. */
export interface Hook extends HookSettings {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Since when every attempt has failed. */
  readonly failingSince?: number;
  /** Why it was switched off by itself. */
  readonly disabledReason?: string;
  readonly lastResponse?: LastResponse;
  /** Deleted, and kept until it has been told so. */
  readonly deletedAt?: number;
}

/** Where something happened; what is absent is not known, and concerns no hook of that kind. */
export interface EventScope {
  /** `owner/name` */
  readonly repository?: string | undefined;
  readonly repositoryId?: number | undefined;
  readonly organization?: string | undefined;
  readonly enterprise?: string | undefined;
  readonly installationId?: number | undefined;
  /** Meant for this hook alone. */
  readonly hookId?: number | undefined;
}

/** Something that has happened, to be told. */
export interface NewEvent {
  readonly guid: string;
  readonly event: string;
  readonly payload: JsonObject;
  /** The JSON of the payload, where it has been made already. */
  readonly json?: string;
  /** The same as UTF-8, of a large event. */
  readonly encoded?: Buffer | undefined;
  readonly scope: EventScope;
}

/** An event as it is kept. */
export interface StoredEvent {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action?: string;
  /** JSON; absent when it is over the cap. */
  readonly payload?: string;
  /** Of that JSON. */
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly scope: EventScope;
}

/** One hook that is told of an event. Times are epoch milliseconds. */
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

/** A message, with what its deliveries show of its event. */
export interface ListedMessage extends Message {
  readonly guid: string;
  readonly event: string;
  readonly action?: string;
}

/** Makes a message of an event for a hook; a reason drops it. */
export interface NewMessage {
  readonly hookId: number;
  readonly reason?: string | undefined;
}

/** What came of one attempt, as it is kept. */
export interface AttemptRecord {
  /** When it began, epoch milliseconds. */
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

/** What is to become of a message after its attempts. */
export type MessageEnd =
  | { readonly state: 'delivered' }
  | { readonly state: 'waiting'; readonly dueAt: number }
  | { readonly state: 'dead'; readonly reason: string };

/** Everything there is to write after a message was tried. */
export interface SentMessage {
  readonly message: Pick<Message, 'id' | 'hookId'>;
  /** Of the lease under which it was sent. */
  readonly epoch: number;
  readonly attempts: readonly AttemptRecord[];
  readonly end: MessageEnd;
}

/** An attempt in the list of deliveries. */
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

/** Which part of a list. */
export interface ListPage {
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** What of a hook changes with what came of its deliveries. */
export interface HookHealth {
  readonly failingSince: number | undefined;
  readonly lastResponse: LastResponse;
  /** Switches it off, and why. */
  readonly disabledReason?: string | undefined;
}

/** What is to be written. */
export interface WrittenWork {
  readonly sent: readonly SentMessage[];
  readonly health: ReadonlyMap<number, HookHealth>;
}

/** What is to be taken. */
export interface WantedWork {
  readonly wishes: readonly {
    readonly hookId: number;
    readonly limit: number;
    readonly ordered: boolean;
  }[];
  readonly epoch: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** When a hook has something to send next. */
export interface HookDue {
  readonly hookId: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** Which messages are to be sent again. */
export interface ReplayWish {
  readonly hookId: number;
  /** Of events that happened then or later, epoch milliseconds. */
  readonly since: number;
  /** Only those that were never delivered. */
  readonly onlyFailed: boolean;
}

/** Where hooks and what is sent to them are kept. */
export interface WebhookStore {
  createHook(settings: HookSettings, at: number): Hook;
  /** Changes a hook and gives it back; undefined when there is none (any more). */
  updateHook(id: number, settings: HookSettings, at: number): Hook | undefined;
  /** Deletes a hook; with an event it stays until that was told. Waiting messages go. */
  deleteHook(id: number, at: number, farewell?: NewEvent): boolean;
  findHook(id: number): Hook | undefined;
  listHooks(
    filter: { readonly kind?: HookKind | undefined; readonly owner?: string | undefined } & ListPage,
  ): Hook[];
  /** Every hook, deleted ones that are still told something included. */
  allHooks(): Hook[];
  /** Goes up with each change of a hook. */
  hookVersion(): number;

  /** Keeps an event to be told. */
  addEvents(events: readonly NewEvent[], at: number): StoredEvent[];
  listNewEvents(limit: number): StoredEvent[];
  findEvent(id: number): StoredEvent | undefined;
  /** The newest event of a name about a repository. */
  findLatestEvent(event: string, repository: string): StoredEvent | undefined;
  /** Makes messages of events, which are new no more. */
  addMessages(
    made: readonly { readonly eventId: number; readonly messages: readonly NewMessage[] }[],
    at: number,
  ): void;
  /** A message of its own for an event that was told before; its id. */
  addRedelivery(wish: { readonly eventId: number; readonly hookId: number }, at: number): number;
  /** The same for many; how many they are. */
  replay(wish: ReplayWish, at: number): number;

  /** Hooks with waiting messages, and when the earliest is due. */
  listDue(): HookDue[];
  /** When the earliest waiting message of a hook is due; of an ordered one, when the oldest is. */
  nextDue(hookId: number, ordered: boolean): number | undefined;
  /**
   * Writes what came of messages and how their hooks are, and takes messages that are due under a lease; of an ordered
   * hook at most the oldest, when it is due. One transaction.
   */
  exchange(done: WrittenWork, wanted: WantedWork): Message[];
  /** Those that another lease than this one has left under way wait again. */
  returnClaimed(epoch: number, at: number): number;
  /** Gives back what was claimed and not tried. */
  release(messageIds: readonly number[], epoch: number): void;
  findMessage(id: number): ListedMessage | undefined;
  listMessages(
    filter: {
      readonly hookId?: number | undefined;
      readonly guid?: string | undefined;
      readonly states: readonly MessageState[];
    } & ListPage,
  ): ListedMessage[];
  findDelivery(hookId: number, id: number): Delivery | undefined;
  listDeliveries(
    filter: { readonly hookId: number; readonly outcome?: 'success' | 'failure' | undefined } & ListPage,
  ): Delivery[];
  /** How many messages of each state. */
  countMessages(hookId: number): Readonly<Partial<Record<MessageState, number>>>;
  /** Removes what is older, a portion at a time; whether there may be more. */
  purge(before: number, portion: number): boolean;
}
