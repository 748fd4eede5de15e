import type { BeatAnswer, Labels, SettleOutcome, TaskHold } from './ports.ts';

/**
 * What workers and coordinators say to each other: JSON over HTTPS, HTTP/1.1 with keep-alive, POST unless said otherwise,
 * below `/coordinator/v1`. A worker proves who it is by its certificate (mTLS: the common name, or a URI among the
 * subject's alternative names `urn:stepwright:worker:<id>`, is its id) or by `Authorization: Bearer <worker key>` from
 * `join`. Errors are problem documents as everywhere (`code`, `message`): 401 `unauthorized` for a credential that is
 * not, or no longer, good (join anew by the join token), 403 `forbidden` for another worker's id, 410 `gone` for a task
 * that is not the worker's any more, 503 `unavailable` with `Retry-After` when the coordinator is full, stops, or
 * cannot reach its database: ask another one, or again.
 *
 * | Path | Body | Answer |
 * |---|---|---|
 * | `/join` | {@link JoinRequest} with a join token or a worker key as bearer, or by certificate | {@link JoinAnswer} |
 * | `/claim` | {@link ClaimMessage} | {@link ClaimAnswer}; waits up to `waitMs` |
 * | `/begin` | {@link HoldsMessage} | {@link BeginAnswer} |
 * | `/beat` | {@link BeatMessage} | {@link BeatAnswer} |
 * | `/settle` | {@link SettleMessage} | {@link SettleAnswer} |
 * | `/leave` | `{}` | 204 |
 * | `PUT /tasks/{key}/{fence}/logs/{stdout|stderr}?offset=N` | bytes | {@link SizeAnswer}; 409 with it for a gap, 410 when the task is not its own any more |
 * | `PUT /tasks/{key}/{fence}/artifacts/{name}` | bytes | `{bytes, sha256}` |
 * | `GET /tasks/{key}/{fence}/artifacts/{name}` | | bytes |
 */
export const protocolRoot = '/coordinator/v1';

/** Raised when older sides would misread newer ones. A coordinator serves the one before, too. */
export const protocolVersion = 1;

/** Headers of each request beside the credential. */
export const epochHeader = 'x-worker-epoch';
export const workerHeader = 'x-worker-id';

/** A worker reports for work, after its start or after it was unknown. */
export interface JoinRequest {
  readonly protocol: number;
  readonly id: string;
  readonly labels: Labels;
  readonly slots: number;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly keeps: readonly TaskHold[];
}

export interface JoinAnswer {
  readonly protocol: number;
  readonly id: string;
  readonly epoch: number;
  readonly leaseMs: number;
  readonly beatMs: number;
  readonly lost: readonly string[];
  /** For workers that joined by a join token: their credential from now on, also to join anew; valid for this id only. */
  readonly key?: string;
  /** The worker's labels as they count: a token or certificate may have replaced some. */
  readonly labels: Labels;
}

/** Worker and epoch are in the headers. */
export interface ClaimMessage {
  readonly free: number;
  /** How long to wait for work, milliseconds, at most 30,000. */
  readonly waitMs: number;
}

export interface ClaimAnswer {
  /** `payload`: a `RemoteTask` as JSON text. */
  readonly tasks: readonly { readonly key: string; readonly fence: number; readonly payload: string }[];
  /** Ends to be asked for at once, as in the answer to a beat. */
  readonly cancel: readonly { readonly key: string; readonly how: 'stop' | 'kill' }[];
  /** As in the answer to its last beat at this coordinator. */
  readonly isDraining: boolean;
}

export interface HoldsMessage {
  readonly holds: readonly TaskHold[];
}

export interface BeginAnswer {
  /** Keys of those that may be begun. */
  readonly own: readonly string[];
}

export interface BeatMessage {
  readonly running: readonly TaskHold[];
  readonly load?: number;
  readonly freeBytes?: number;
}

export type BeatReply = BeatAnswer;

export interface SettleMessage {
  readonly results: readonly (TaskHold & { readonly result: string })[];
}

export interface SettleAnswer {
  /** In the order of the results. */
  readonly outcomes: readonly SettleOutcome[];
}

export interface SizeAnswer {
  readonly size: number;
}
