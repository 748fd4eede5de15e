import type { RunRef } from '../../model/run.ts';
import type { ReceiverMethod, ReceiverScheme } from '../../model/webhook.ts';

/** A secret of a receiver. */
export interface ReceiverSecret {
  readonly value: string;
  /** Expiry in epoch milliseconds; absent for the current secret. */
  readonly until?: number;
}

/** Configurable settings of a receiver. */
export interface ReceiverSettings {
  readonly name: string;
  readonly scheme: ReceiverScheme;
  /** Newest first. */
  readonly secrets: readonly ReceiverSecret[];
  /** Allowed HTTP methods of deliveries. */
  readonly methods: readonly ReceiverMethod[];
  /** Whether a SHA-1 signature is accepted if there is no SHA-256 signature. */
  readonly allowSha1: boolean;
  /** In bytes. */
  readonly maxBodyBytes: number;
  /** Time within which a repeated delivery counts as a duplicate, in milliseconds; 0 for never. */
  readonly dedupeMs: number;
  /** Retention of deliveries, in milliseconds. */
  readonly keepMs: number;
  /** If false, requests are rejected. */
  readonly active: boolean;
}

/** An endpoint that receives webhooks, `/webhooks/{id}`. */
export interface Receiver extends ReceiverSettings {
  readonly key: number;
  /** Opaque; part of the URL. */
  readonly id: string;
  /** Epoch milliseconds, like the next field. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A webhook trigger in a workflow. */
export interface TriggerRef {
  /** File name without extension. */
  readonly dag: string;
  /** Index of the trigger, from 0. */
  readonly trigger: number;
}

/** A workflow that a delivery does not start, with the reason. */
export interface SkippedTrigger extends TriggerRef {
  readonly reason: string;
}

/** A workflow that a delivery starts. */
export interface PendingStart extends TriggerRef {
  /** Name of the run. */
  readonly name: string;
  /** Set if the start is debounced. */
  readonly debounce?: {
    /** A later delivery with the same key replaces this one. */
    readonly key: string;
    /** In milliseconds. */
    readonly waitMs: number;
  };
}

/** A request as received. */
export interface ReceivedRequest {
  readonly receiver: Pick<Receiver, 'key' | 'dedupeMs'>;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  /** Query of a GET request as JSON, otherwise the body without its `Content-Encoding`; for a rejected request, its first bytes as received. */
  readonly body?: Buffer | undefined;
  /** Size of the complete body. */
  readonly bytes: number;
  readonly address?: string | undefined;
  readonly deliveryId?: string | undefined;
  readonly hookId?: string | undefined;
  readonly event?: string | undefined;
  readonly action?: string | undefined;
}

/** A rejected request, stored so that users can see the reason. */
export interface RefusedRequest extends ReceivedRequest {
  readonly verified: boolean;
  readonly reason: string;
}

/** An accepted request. */
export interface AcceptedRequest extends ReceivedRequest {
  /** How it was verified. */
  readonly proof: string;
  /** Number of webhook-triggered runs in the chain before it. */
  readonly depth: number;
  readonly starts: readonly PendingStart[];
  readonly passedOver: readonly SkippedTrigger[];
  /** The delivery that is replayed, regardless of duplicates. */
  readonly replayOf?: number | undefined;
}

/** Outcome of a start. */
export type StartOutcome =
  /** Will be started, also after a crash. */
  | 'pending'
  | 'started'
  /** Replaced by a later delivery. */
  | 'replaced'
  /** Could not be started. */
  | 'refused';

/** A stored start. */
export interface StoredStart extends TriggerRef {
  readonly receivedKey: number;
  readonly outcome: StartOutcome;
  readonly reason?: string;
  /** Run to start. Its id is derived from delivery and workflow, so that a second start finds the existing run. */
  readonly run: RunRef;
  /** Epoch milliseconds. */
  readonly dueAt?: number;
}

/** Outcome of a stored request. */
export interface StoredRequest {
  readonly key: number;
  /** Key of the earlier delivery that it duplicates; starts nothing. */
  readonly duplicateOf?: number;
  readonly starts: readonly StoredStart[];
}

/** A received delivery, without its body. */
export interface ReceivedDelivery {
  readonly key: number;
  readonly receiverKey: number;
  readonly at: number;
  readonly method: string;
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
  readonly passedOver: readonly SkippedTrigger[];
  readonly starts: readonly StoredStart[];
}

/** Filter for deliveries, newest first. */
export interface ReceivedFilter {
  readonly receiverKey: number;
  readonly limit: number;
  /** Only deliveries with a lower key. */
  readonly beforeKey?: number | undefined;
  readonly verified?: boolean | undefined;
  readonly event?: string | undefined;
  readonly deliveryId?: string | undefined;
}

/** Store of receivers and their deliveries. Each operation is one transaction. */
export interface ReceivedStore {
  /** Lists receivers by name. */
  listReceivers(): Promise<Receiver[]>;
  findReceiver(id: string): Promise<Receiver | undefined>;
  /** Changes with every change of a receiver by any process. */
  receiverVersion(): Promise<number>;
  /** Rejects with `already_exists` if the name is in use. */
  createReceiver(id: string, settings: ReceiverSettings, at: number): Promise<Receiver>;
  /** Rejects with `already_exists` and `not_found`. */
  updateReceiver(id: string, settings: ReceiverSettings, at: number): Promise<Receiver>;
  /** Deletes a receiver with all its deliveries. False if there is none. */
  deleteReceiver(id: string): Promise<boolean>;
  /**
   * Stores requests in one durable transaction, in this order. A delivery that was received before within `dedupeMs`
   * is stored as a duplicate without its body.
   */
  keep(requests: readonly (AcceptedRequest | RefusedRequest)[]): Promise<StoredRequest[]>;
  listReceived(filter: ReceivedFilter): Promise<ReceivedDelivery[]>;
  findReceived(key: number): Promise<ReceivedDelivery | undefined>;
  readBody(key: number): Promise<Buffer | undefined>;
  /**
   * Returns pending starts that are due, and those without a due time of deliveries received at or before
   * `receivedBefore`.
   */
  listDueStarts(options: {
    readonly at: number;
    readonly receivedBefore: number;
    readonly limit: number;
  }): Promise<StoredStart[]>;
  /**
   * Returns when the next pending start is due, in epoch milliseconds; one without a due time is due `graceMs` after its
   * delivery was received.
   */
  findNextStart(graceMs: number): Promise<number | undefined>;
  /** Stores the outcome of pending starts. */
  settle(
    starts: readonly (Pick<StoredStart, 'receivedKey' | 'dag' | 'trigger' | 'run'> & {
      readonly outcome: 'started' | 'refused';
      readonly reason?: string | undefined;
    })[],
  ): Promise<void>;
  /**
   * Returns the number of webhook-triggered runs in the chain before an event of this home; undefined for any other
   * GUID.
   */
  findEventDepth(guid: string): Promise<number | undefined>;
  /** Deletes deliveries beyond each receiver's retention, a limited number at a time, and returns them. */
  purge(at: number, limit: number): Promise<{ readonly receiverId: string; readonly receivedKey: number }[]>;
}
