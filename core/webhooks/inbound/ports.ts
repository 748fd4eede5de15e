import type { RunRef } from '../../model/run/run.ts';

/** How requests to a receiver prove where they come from. */
export const receiverSchemes = ['platform', 'standard', 'bearer'] as const;
export type ReceiverScheme = (typeof receiverSchemes)[number];

/** One secret of a receiver. */
export interface ReceiverSecret {
  readonly value: string;
  /** Epoch milliseconds after which it counts no more; absent for the one in force. */
  readonly until?: number;
}

/** What somebody decides about a receiver. */
export interface ReceiverSettings {
  readonly name: string;
  readonly scheme: ReceiverScheme;
  /** The newest first. */
  readonly secrets: readonly ReceiverSecret[];
  /** A SHA-1 signature is enough where there is no other. */
  readonly allowSha1: boolean;
  /** Bytes. */
  readonly maxBodyBytes: number;
  /** How long a delivery that comes again is taken for the same, milliseconds; 0 for never. */
  readonly dedupeMs: number;
  /** How long what came is kept, milliseconds. */
  readonly keepMs: number;
  /** Requests are refused when not. */
  readonly active: boolean;
}

/** An address that takes webhooks, `/webhooks/{id}`. */
export interface Receiver extends ReceiverSettings {
  readonly key: number;
  /** Opaque; in the address. */
  readonly id: string;
  /** Epoch milliseconds, like the next one. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Where a workflow says that it wants webhooks. */
export interface TriggerPlace {
  /** Its file, without the ending. */
  readonly dag: string;
  /** Which of its triggers, from 0. */
  readonly trigger: number;
}

/** A workflow that a delivery does not start, and why. */
export interface PassedOver extends TriggerPlace {
  readonly reason: string;
}

/** A workflow that a delivery is to start. */
export interface WantedStart extends TriggerPlace {
  /** Name of the run. */
  readonly name: string;
  /** Of those that wait for a while in case there is more to come. */
  readonly debounce?: {
    /** Later deliveries with the same one take its place. */
    readonly key: string;
    /** Milliseconds. */
    readonly waitMs: number;
  };
}

/** A request as it came. */
export interface ReceivedRequest {
  readonly receiver: Pick<Receiver, 'key' | 'dedupeMs'>;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  /** The bytes without their `Content-Encoding`; of a refused request the first of them, as they came. */
  readonly body?: Buffer | undefined;
  /** How many there are. */
  readonly bytes: number;
  readonly address?: string | undefined;
  readonly deliveryId?: string | undefined;
  readonly hookId?: string | undefined;
  readonly event?: string | undefined;
  readonly action?: string | undefined;
}

/** A request that is refused, kept so that somebody can see why. */
export interface RefusedRequest extends ReceivedRequest {
  readonly verified: boolean;
  readonly reason: string;
}

/** A request that is taken. */
export interface AcceptedRequest extends ReceivedRequest {
  /** How it was proved. */
  readonly proof: string;
  /** How many runs that webhooks have started lie before it. */
  readonly depth: number;
  readonly starts: readonly WantedStart[];
  readonly passedOver: readonly PassedOver[];
  /** The delivery that is done again, whatever came before. */
  readonly replayOf?: number | undefined;
}

/** What has become of a workflow that a delivery was to start. */
export type StartOutcome =
  /** It will be started; a fault before that changes nothing. */
  | 'pending'
  | 'started'
  /** A later delivery has taken its place. */
  | 'replaced'
  /** It could not be started. */
  | 'refused';

/** A workflow that a delivery starts, as it is kept. */
export interface KeptStart extends TriggerPlace {
  readonly receivedKey: number;
  readonly outcome: StartOutcome;
  readonly reason?: string;
  /** The run that it starts; its id is made of delivery and workflow, so that a second start finds it. */
  readonly run: RunRef;
  /** Epoch milliseconds. */
  readonly dueAt?: number;
}

/** What has become of a request once it is on disk. */
export interface KeptRequest {
  readonly key: number;
  /** It has come before, and starts nothing. */
  readonly duplicateOf?: number;
  readonly starts: readonly KeptStart[];
}

/** What came to a receiver, without its body. */
export interface ReceivedDelivery {
  readonly key: number;
  readonly receiverKey: number;
  readonly at: number;
  readonly state: 'refused' | 'duplicate' | 'accepted';
  readonly verified: boolean;
  readonly proof?: string;
  readonly reason?: string;
  readonly deliveryId?: string;
  readonly hookId?: string;
  readonly event?: string;
  readonly action?: string;
  readonly contentType?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly address?: string;
  readonly depth: number;
  readonly duplicateOf?: number;
  readonly replayOf?: number;
  readonly passedOver: readonly PassedOver[];
  readonly starts: readonly KeptStart[];
}

/** Which deliveries to list, newest first. */
export interface ReceivedFilter {
  readonly receiverKey: number;
  readonly limit: number;
  /** Only those with a lower key. */
  readonly beforeKey?: number | undefined;
  readonly verified?: boolean | undefined;
  readonly event?: string | undefined;
  readonly deliveryId?: string | undefined;
}

/** Where receivers and what came to them are kept. Each operation is one transaction. */
export interface ReceivedStore {
  /** By name. */
  listReceivers(): Receiver[];
  findReceiver(id: string): Receiver | undefined;
  /** Changes whenever a receiver does, whoever changed it. */
  receiverVersion(): number;
  /** Throws `already_exists` for a name that is taken. */
  createReceiver(id: string, settings: ReceiverSettings, at: number): Receiver;
  /** The same. Throws `not_found`, too. */
  updateReceiver(id: string, settings: ReceiverSettings, at: number): Receiver;
  /** Removes a receiver with all that came to it. False when there is none. */
  deleteReceiver(id: string): boolean;
  /**
   * Keeps requests in one durable transaction, in this order. One whose delivery has come before within `dedupeMs`
   * becomes a duplicate, without its body.
   */
  keep(requests: readonly (AcceptedRequest | RefusedRequest)[]): KeptRequest[];
  listReceived(filter: ReceivedFilter): ReceivedDelivery[];
  findReceived(key: number): ReceivedDelivery | undefined;
  readBody(key: number): Buffer | undefined;
  /** Pending starts whose time has come, and those without one of deliveries that came at `receivedBefore` or earlier. */
  listDueStarts(wish: {
    readonly at: number;
    readonly receivedBefore: number;
    readonly limit: number;
  }): KeptStart[];
  /** Notes what has become of pending starts. */
  settle(
    starts: readonly (Pick<KeptStart, 'receivedKey' | 'dag' | 'trigger' | 'run'> & {
      readonly outcome: 'started' | 'refused';
      readonly reason?: string | undefined;
    })[],
  ): void;
  /** How many runs that webhooks have started lie before an event of this home; undefined for any other GUID. */
  depthOfEvent(guid: string): number | undefined;
  /** Removes what is older than each receiver keeps it, a bounded number at a time. What is gone. */
  purge(at: number, limit: number): { readonly receiverId: string; readonly receivedKey: number }[];
}
