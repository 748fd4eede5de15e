import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { DispatchStore, WorkerCredential } from '../../ports.ts';
import type { Identity, JoiningWorker } from './caller.ts';

/** Prefix of all worker keys, for recognition by people and secret scanners. */
export const workerKeyPrefix = 'swk_';

/** Time for which a credential is cached without asking the database. A removed worker is rejected after this time. */
const cacheTtlMs = 5000;
/** Maximum number of cached credentials. */
const maxCached = 20_000;

interface CachedCredential {
  readonly credential: WorkerCredential;
  /** On the monotonic clock. */
  readonly until: number;
}

/**
 * Authenticates workers without certificates: they join by a token and get a key for their id. The database stores the
 * key's hash with the worker, so that any coordinator accepts it, and it is deleted with the worker.
 */
export class TokenIdentity implements Identity {
  readonly #store: DispatchStore;
  readonly #clock: Clock;
  readonly #cache = new Map<string, CachedCredential>();

  constructor(store: DispatchStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async join(request: FastifyRequest, id: string): Promise<JoiningWorker> {
    const sha256 = hash(readBearer(request));
    const credential = await this.#store.findCredential(id);
    if (credential?.sha256 === sha256) return { id, labels: credential.labels };
    const token = await this.#store.findJoinToken(sha256);
    if (token === undefined)
      throw new AppError(
        'unauthorized',
        'Invalid, revoked or expired join token or worker key. Create a join token with "engine workers tokens create".',
      );
    if (credential !== undefined && credential.token !== token.id && credential.leaseUntil > credential.now)
      throw new AppError(
        'forbidden',
        `Worker id ${id} is in use by a worker that joined with another token. Use another id (--id).`,
      );
    const key = workerKeyPrefix + randomBytes(32).toString('base64url');
    this.#cache.delete(id);
    const { labels } = token;
    return { id, labels, key, credential: { sha256: hash(key), token: token.id, labels } };
  }

  async authenticate(request: FastifyRequest, id: string | undefined): Promise<string> {
    if (id === undefined) throw new AppError('bad_request', 'Missing header X-Worker-Id (worker id).');
    const sha256 = hash(readBearer(request));
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.credential.sha256 === sha256 && cached.until > this.#clock.monotonic())
      return id;
    const credential = await this.#store.findCredential(id);
    if (credential?.sha256 !== sha256)
      throw new AppError(
        'unauthorized',
        `The worker key of ${id} is no longer valid: the worker rejoined from another place or was removed. Join again with the join token.`,
      );
    this.#cacheCredential(id, credential);
    return id;
  }

  #cacheCredential(id: string, credential: WorkerCredential): void {
    this.#cache.delete(id);
    this.#cache.set(id, { credential, until: this.#clock.monotonic() + cacheTtlMs });
    if (this.#cache.size <= maxCached) return;
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined) this.#cache.delete(oldest);
  }
}

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function readBearer({ headers }: FastifyRequest): string {
  const [, secret] = /^Bearer +(\S{1,512})$/i.exec(headers.authorization ?? '') ?? [];
  if (secret !== undefined) return secret;
  throw new AppError(
    'unauthorized',
    'No credentials. Send "Authorization: Bearer" with a join token or a worker key.',
  );
}
