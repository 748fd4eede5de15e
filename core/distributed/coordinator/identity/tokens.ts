import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { DispatchStore, WorkerCredential } from '../../ports.ts';
import type { Identity, Joiner } from './caller.ts';

/** What all worker keys begin with, so that people and scanners know them. */
export const workerKeyPrefix = 'swk_';

/** How long a credential is believed without asking the database: a removed worker gets no further than this. */
const believedMs = 5000;
/** Credentials that are remembered. */
const mostRemembered = 20_000;

interface Remembered {
  readonly credential: WorkerCredential;
  /** By the monotonic clock. */
  readonly until: number;
}

/**
 * Workers without certificates join by a token and get a key for their id, of which the database keeps the hash with the
 * worker: any coordinator knows it, and it ends with the worker.
 */
export class TokenIdentity implements Identity {
  readonly #store: DispatchStore;
  readonly #clock: Clock;
  readonly #known = new Map<string, Remembered>();

  constructor(store: DispatchStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async join(request: FastifyRequest, id: string): Promise<Joiner> {
    const sha256 = hash(readBearer(request));
    const credential = await this.#store.findCredential(id);
    if (credential?.sha256 === sha256) return { id, labels: credential.labels };
    const token = await this.#store.findJoinToken(sha256);
    if (token === undefined)
      throw new AppError(
        'unauthorized',
        'This is no join token that is valid, nor the key of this worker: it is wrong, was removed, or has expired. Make one with "engine workers tokens create".',
      );
    if (credential !== undefined && credential.token !== token.id && credential.leaseUntil > credential.now)
      throw new AppError(
        'forbidden',
        `A worker that joined by another token is called ${id} and lives. Give this one another id (--id).`,
      );
    const key = workerKeyPrefix + randomBytes(32).toString('base64url');
    this.#known.delete(id);
    const { labels } = token;
    return { id, labels, key, credential: { sha256: hash(key), token: token.id, labels } };
  }

  async recognize(request: FastifyRequest, id: string | undefined): Promise<string> {
    if (id === undefined)
      throw new AppError('bad_request', 'The header X-Worker-Id is missing: the id of the worker.');
    const sha256 = hash(readBearer(request));
    const known = this.#known.get(id);
    if (known !== undefined && known.credential.sha256 === sha256 && known.until > this.#clock.monotonic())
      return id;
    const credential = await this.#store.findCredential(id);
    if (credential?.sha256 !== sha256)
      throw new AppError(
        'unauthorized',
        `This is not the key of the worker ${id}: it joined anew elsewhere, or was removed. It has to join by its join token.`,
      );
    this.#remember(id, credential);
    return id;
  }

  #remember(id: string, credential: WorkerCredential): void {
    this.#known.delete(id);
    this.#known.set(id, { credential, until: this.#clock.monotonic() + believedMs });
    if (this.#known.size <= mostRemembered) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

function readBearer({ headers }: FastifyRequest): string {
  const [, secret] = /^Bearer +(\S{1,512})$/i.exec(headers.authorization ?? '') ?? [];
  if (secret !== undefined) return secret;
  throw new AppError(
    'unauthorized',
    'There is no credential: send "Authorization: Bearer" with a join token, or with the worker key from joining.',
  );
}
