import type { HeartbeatReply, Labels, CompletionOutcome, TaskLease } from '../store/types/dispatch.ts';

/**
 * Protocol between workers and coordinators: JSON over HTTPS, HTTP/1.1 with keep-alive, POST unless noted, below
 * `/coordinator/v1`. A worker authenticates with its certificate (mTLS: the common name, or a subject alternative name
 * URI `urn:stepwright:worker:<id>`, is its id) or with `Authorization: Bearer <worker key>` from `join`. Errors are
 * problem documents as in the API (`code`, `message`): 401 `unauthorized` for an invalid or expired credential (rejoin
 * with the join token), 403 `forbidden` for the id of another worker, 410 `gone` for a task that no longer belongs to
 * the worker, 503 `unavailable` with `Retry-After` if the coordinator is overloaded, closing, or cannot reach its
 * database: retry, or use another one.
 *
 * | Path | Body | Response |
 * |---|---|---|
 * | `/join` | {@link JoinRequest} with a join token or a worker key as bearer, or by certificate | {@link JoinResponse} |
 * | `/claim` | {@link ClaimMessage} | {@link ClaimResponse}; waits up to `waitMs` |
 * | `/begin` | {@link ActiveTasksMessage} | {@link BeginResponse} |
 * | `/beat` | {@link HeartbeatMessage} | {@link HeartbeatReply} |
 * | `/settle` | {@link CompleteMessage} | {@link CompleteResponse} |
 * | `/leave` | `{}` | 204 |
 * | `PUT /tasks/{key}/{fence}/logs/{stdout|stderr}?offset=N` | bytes | {@link SizeResponse}; 409 for a gap, 410 for a lost task |
 * | `PUT /tasks/{key}/{fence}/artifacts/{name}` | bytes | `{bytes, sha256}` |
 * | `GET /tasks/{key}/{fence}/artifacts/{name}` | | bytes |
 */
export const protocolRoot = '/coordinator/v1';

/** Increased for incompatible changes. A coordinator also serves the previous version. */
export const protocolVersion = 1;

/** Headers of each request, in addition to the credential. */
export const epochHeader = 'x-worker-epoch';
export const workerHeader = 'x-worker-id';

/** Registration of a worker after its start, or after it became unknown. */
export interface JoinRequest {
  readonly protocol: number;
  readonly id: string;
  readonly labels: Labels;
  readonly slots: number;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly keeps: readonly TaskLease[];
}

export interface JoinResponse {
  readonly protocol: number;
  readonly id: string;
  readonly epoch: number;
  readonly leaseMs: number;
  readonly beatMs: number;
  readonly lost: readonly string[];
  /** For workers that joined by token: their credential from now on, also for rejoining; valid for this id only. */
  readonly key?: string;
  /** Effective labels of the worker; a token or certificate may have overridden some. */
  readonly labels: Labels;
}

/** Worker and epoch are in the headers. */
export interface ClaimMessage {
  readonly free: number;
  /** Maximum waiting time in milliseconds, at most 30,000. */
  readonly waitMs: number;
}

export interface ClaimResponse {
  /** `payload`: a `RemoteTask` as JSON string. */
  readonly tasks: readonly { readonly key: string; readonly fence: number; readonly payload: string }[];
  /** Tasks to cancel now, as in the response to a heartbeat. */
  readonly cancel: readonly { readonly key: string; readonly how: 'stop' | 'kill' }[];
  /** As in the response to its last heartbeat at this coordinator. */
  readonly isDraining: boolean;
}

export interface ActiveTasksMessage {
  readonly holds: readonly TaskLease[];
}

export interface BeginResponse {
  /** Keys of tasks that may start. */
  readonly own: readonly string[];
}

export interface HeartbeatMessage {
  readonly running: readonly TaskLease[];
  readonly load?: number;
  readonly freeBytes?: number;
}

export type HeartbeatResponse = HeartbeatReply;

export interface CompleteMessage {
  readonly results: readonly (TaskLease & { readonly result: string })[];
}

export interface CompleteResponse {
  /** In the order of the results. */
  readonly outcomes: readonly CompletionOutcome[];
}

export interface SizeResponse {
  readonly size: number;
}
