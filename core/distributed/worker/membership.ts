import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Labels, TaskLease } from '../../store/types/dispatch.ts';
import { protocolVersion, type JoinResponse, type JoinRequest } from '../protocol.ts';
import { CoordinatorError, type Coordinators, UnreachableError, pause } from './coordinators.ts';
import type { TlsFiles } from './tls-files.ts';
import type { WorkerApi } from './worker-api.ts';

/** Description of a worker. */
export interface WorkerInfo {
  readonly id: string;
  readonly labels: Labels;
  readonly slots: number;
  readonly version: string;
}

interface MembershipOptions {
  readonly info: WorkerInfo;
  readonly api: WorkerApi;
  readonly coordinators: Coordinators;
  readonly tls: Pick<TlsFiles, 'refresh'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reads the join token again each time; undefined with a certificate. */
  readonly token: () => string | undefined;
  /** Storage of the credential. */
  readonly keys: { readKey(): string | undefined; saveKey(key: string | undefined): void };
  /** Returns the tasks to keep, for a coordinator to confirm. */
  readonly keeps: () => readonly TaskLease[];
  /** Called with the tasks that no longer belong to the worker. */
  onLost(keys: readonly string[]): void;
  /** Called after each registration. */
  onJoined(): void;
  /** Aborted if the worker ends before it has joined. */
  readonly signal: AbortSignal;
}

/** Delay between attempts to join after an error, in milliseconds. */
const rejectedRetryMs = 30_000;
/** Assumed lease before joining, in milliseconds. */
const firstLeaseMs = 10_000;

/** Registrations of a worker and its current lease. Uses the monotonic clock. */
export class Membership {
  readonly #options: MembershipOptions;
  #response: JoinResponse | undefined;
  #joining: Promise<void> | undefined;
  #leaseEnd: number;
  #notifyJoined: () => void = () => {};
  /** Resolves after the first registration. */
  readonly joined: Promise<void>;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.joined = new Promise((resolve) => (this.#notifyJoined = resolve));
    this.#leaseEnd = options.clock.monotonic() + firstLeaseMs;
  }

  /** 0 before the first registration. */
  get epoch(): number {
    return this.#response?.epoch ?? 0;
  }

  get beatMs(): number {
    return this.#response?.beatMs ?? 5000;
  }

  get leaseMs(): number {
    return this.#response?.leaseMs ?? firstLeaseMs;
  }

  /** Milliseconds until the worker's tasks may be reclaimed; negative after that time. */
  get remainingMs(): number {
    return this.#leaseEnd - this.#options.clock.monotonic();
  }

  /** @param sentAt send time of the heartbeat, on the monotonic clock */
  extendLease(sentAt: number): void {
    this.#leaseEnd = Math.max(this.#leaseEnd, sentAt + this.leaseMs);
  }

  /**
   * Joins for the first time and retries while no coordinator is reachable. Rejects with `unauthorized` or
   * `bad_request` if a coordinator rejects the worker.
   */
  join(): Promise<void> {
    return (this.#joining ??= this.#joinUntilDone(true).finally(() => (this.#joining = undefined)));
  }

  /** Joins again unless already done since the epoch. Rejects only when the worker ends. */
  async renew(epoch: number): Promise<void> {
    if (this.epoch !== epoch && this.#joining === undefined) return;
    this.#joining ??= this.#joinUntilDone(false).finally(() => (this.#joining = undefined));
    await this.#joining;
  }

  async #joinUntilDone(isFirst: boolean): Promise<void> {
    const { coordinators, logger, clock, signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.#joinOnce();
      } catch (error) {
        if (error instanceof UnreachableError) await coordinators.waitBeforeRetry(signal);
        else if (!(error instanceof CoordinatorError)) throw error;
        else if (isFirst) throw joinError(error, coordinators.url);
        else {
          logger.error('A coordinator rejects this worker; running steps continue', {
            reason: error.message,
          });
          await pause(clock, rejectedRetryMs, signal);
        }
      }
    }
  }

  async #joinOnce(): Promise<void> {
    const { info, api, keys, token, keeps, clock, logger } = this.#options;
    const request: JoinRequest = {
      ...info,
      protocol: protocolVersion,
      host: hostname(),
      pid: process.pid,
      keeps: keeps(),
    };
    this.#options.tls.refresh();
    const sentAt = clock.monotonic();
    const storedKey = keys.readKey();
    let response: JoinResponse;
    try {
      response = await api.join(request, storedKey ?? token());
    } catch (error) {
      // Its credential may have been deleted with its row; the join token creates a new one.
      const newToken =
        error instanceof CoordinatorError && error.status === 401 && storedKey !== undefined
          ? token()
          : undefined;
      if (newToken === undefined) throw error;
      response = await api.join(request, newToken);
    }
    if (response.key !== undefined) keys.saveKey(response.key);
    this.#response = response;
    this.#leaseEnd = sentAt + response.leaseMs;
    api.session = { id: response.id, epoch: response.epoch, key: response.key ?? keys.readKey() };
    logger.info('Joined', {
      worker: response.id,
      epoch: response.epoch,
      coordinator: this.#options.coordinators.url,
    });
    if (response.lost.length > 0) this.#options.onLost(response.lost);
    this.#notifyJoined();
    this.#options.onJoined();
  }
}

function joinError({ status, message }: CoordinatorError, url: string): AppError {
  const isCredentialError = status === 401 || status === 403;
  return new AppError(
    isCredentialError ? 'unauthorized' : 'bad_request',
    `The coordinator ${url} rejects this worker: ${message}`,
    isCredentialError
      ? {
          details: {
            hint: 'Set a join token (--token, ENGINE_WORKER_TOKEN, --token-file) or a certificate (--tls-cert, --tls-key).',
          },
        }
      : {},
  );
}
