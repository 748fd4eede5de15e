import { LruCache } from '../../base/lru-cache.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { DispatchStore, WorkerCredential, Labels } from '../../store/types/dispatch.ts';
import { readWorkerId } from './read-messages.ts';

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
  readonly #cache = new LruCache<string, CachedCredential>(maxCached);

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
        `Worker ID ${id} is in use by a worker that joined with another token. Use another ID (--id).`,
      );
    const key = workerKeyPrefix + randomBytes(32).toString('base64url');
    this.#cache.delete(id);
    const { labels } = token;
    return { id, labels, key, credential: { sha256: hash(key), token: token.id, labels } };
  }

  async authenticate(request: FastifyRequest, id: string | undefined): Promise<string> {
    if (id === undefined) throw new AppError('bad_request', 'Missing header X-Worker-Id (worker ID).');
    const sha256 = hash(readBearer(request));
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.credential.sha256 === sha256 && cached.until > this.#clock.monotonic())
      return id;
    const credential = await this.#store.findCredential(id);
    if (credential?.sha256 !== sha256)
      throw new AppError(
        'unauthorized',
        `The worker key of ${id} is no longer valid: the worker rejoined elsewhere or was removed. Join again with the join token.`,
      );
    this.#cacheCredential(id, credential);
    return id;
  }

  #cacheCredential(id: string, credential: WorkerCredential): void {
    this.#cache.set(id, { credential, until: this.#clock.monotonic() + cacheTtlMs });
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

/** Authenticated identity of a connection. */
interface VerifiedCertificate {
  readonly id: string;
  /** Expiry of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/**
 * Prefix of the worker id in a subject alternative name URI, for certificate authorities that use the common name for
 * something else.
 */
const uriPrefix = 'urn:stepwright:worker:';

/** Reasons for rejected certificates, by OpenSSL error code as Node reports it. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired. Renew it',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clocks of both machines',
  CERT_REVOKED: 'has been revoked. Issue a new certificate',
  UNABLE_TO_GET_CRL: 'cannot be checked: there is no revocation list from its authority (--tls-crl)',
  CRL_HAS_EXPIRED: 'cannot be checked: the revocation list has expired (--tls-crl)',
  CRL_NOT_YET_VALID: 'cannot be checked: the revocation list is not valid yet (--tls-crl)',
  INVALID_PURPOSE: 'is not a client certificate',
};
const untrustedAuthority =
  'was issued by an authority that this coordinator does not trust (--tls-client-ca)';

/** Authenticates workers by client certificate: the common name or a subject alternative name URI is the id. */
export class CertificateIdentity implements Identity {
  readonly #clock: Clock;
  readonly #verified = new WeakMap<object, VerifiedCertificate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async join(request: FastifyRequest, id: string): Promise<JoiningWorker> {
    return { id: this.#check(request, id), labels: {} };
  }

  async authenticate(request: FastifyRequest, id: string | undefined): Promise<string> {
    return this.#check(request, id);
  }

  #check({ raw: { socket } }: FastifyRequest, id: string | undefined): string {
    const identity = this.#verified.get(socket) ?? verifyCertificate(socket as TLSSocket);
    this.#verified.set(socket, identity);
    if (identity.validUntil <= this.#clock.now()) throw certificateError('has expired. Renew it');
    if (id === undefined || id === identity.id) return identity.id;
    throw new AppError(
      'forbidden',
      `The certificate is for worker ${identity.id}, but the worker has the ID ${id}. Use the same ID, or another certificate.`,
    );
  }
}

function verifyCertificate(socket: TLSSocket): VerifiedCertificate {
  const certificate = socket.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0)
    throw new AppError(
      'unauthorized',
      'This coordinator requires a client certificate. Set --tls-cert and --tls-key on the worker.',
    );
  if (!socket.authorized)
    throw certificateError(reasons[String(socket.authorizationError)] ?? untrustedAuthority);
  return { id: readId(certificate), validUntil: Date.parse(certificate.valid_to) };
}

function readId({ subject, subjectaltname = '' }: PeerCertificate): string {
  const [, uriId] = new RegExp(`(?:^|, )URI:${uriPrefix}([^,]+)`).exec(subjectaltname) ?? [];
  return readWorkerId(uriId ?? subject.CN, 'The common name of the certificate');
}

const certificateError = (reason: string): AppError =>
  new AppError('unauthorized', `The certificate of the worker ${reason}.`);

/** An authenticated joining worker. */
interface JoiningWorker {
  readonly id: string;
  /** Labels of its token, which override the worker's own. */
  readonly labels: Labels;
  /** Credential to store with the worker, if new. */
  readonly credential?: WorkerCredential;
  /** Worker key to return to the worker, if new. */
  readonly key?: string;
}

/** Authentication of workers. Every error is `unauthorized` or `forbidden`, with a message that states the fix. */
export interface Identity {
  /** @param id claimed worker id */
  join(request: FastifyRequest, id: string): Promise<JoiningWorker>;
  /**
   * Returns the id of the worker that sent a request.
   * @param id from the request header; absent if missing
   */
  authenticate(request: FastifyRequest, id: string | undefined): Promise<string>;
}
