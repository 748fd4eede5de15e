import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { Turns } from '../../base/turns.ts';
import { type ReceiverMethod, verifiesBody } from '../../model/webhook.ts';
import type { ReceivedStore, Receiver, ReceiverSettings } from '../../store/types/receivers.ts';

/** Default settings of a new receiver. */
export const receiverDefaults = {
  methods: ['POST'],
  allowSha1: false,
  maxBodyBytes: 25 * 1024 * 1024,
  dedupeMs: 3 * 86_400_000,
  keepMs: 30 * 86_400_000,
  active: true,
} as const satisfies Partial<ReceiverSettings>;

/** Maximum number of old secrets that stay valid. */
const maxOldSecrets = 10;

/** A new receiver; absent fields are as in {@link receiverDefaults}. */
export type NewReceiver = Pick<ReceiverSettings, 'name' | 'scheme'> &
  ReceiverChange & { readonly secrets: readonly string[] };

/** Changes of a receiver. */
export interface ReceiverChange {
  readonly name?: string | undefined;
  readonly methods?: readonly ReceiverMethod[] | undefined;
  readonly allowSha1?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly dedupeMs?: number | undefined;
  readonly keepMs?: number | undefined;
  readonly active?: boolean | undefined;
}

/** The receivers of a home. */
export class Receivers {
  readonly #store: ReceivedStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changes = new Turns();
  #loaded: { readonly version: number; readonly byId: Promise<ReadonlyMap<string, Receiver>> } | undefined;

  constructor(store: ReceivedStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Lists receivers by name. */
  async list(): Promise<readonly Receiver[]> {
    return [...(await this.#known()).values()];
  }

  async find(id: string): Promise<Receiver | undefined> {
    return (await this.#known()).get(id);
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<Receiver> {
    const receiver = await this.find(id);
    if (receiver !== undefined) return receiver;
    throw new AppError('not_found', `Webhook receiver "${id}" not found.`);
  }

  /** Rejects with `already_exists`, and `bad_request` for an invalid secret. */
  async create({ secrets, ...options }: NewReceiver): Promise<Receiver> {
    for (const secret of secrets) checkSecret(options.scheme, secret);
    const settings = { ...receiverDefaults, ...withoutUndefined(options) };
    const id = randomBytes(18).toString('base64url');
    return this.#store.createReceiver(
      id,
      checked({
        ...settings,
        name: options.name,
        scheme: options.scheme,
        secrets: secrets.map((value) => ({ value })),
      }),
      this.#clock.now(),
    );
  }

  /** Rejects with `not_found` and `already_exists`. */
  update(id: string, change: ReceiverChange): Promise<Receiver> {
    return this.#changes.take(async () => {
      const settings = checked({ ...(await this.get(id)), ...withoutUndefined(change) });
      return this.#store.updateReceiver(id, settings, this.#clock.now());
    });
  }

  /** Rejects with `not_found`. */
  delete(id: string): Promise<Receiver> {
    return this.#changes.take(async () => {
      const receiver = await this.get(id);
      await this.#store.deleteReceiver(id);
      return receiver;
    });
  }

  /**
   * Sets a new secret; earlier ones stay valid for at most `overlapMs`. Rejects with `not_found`, and `bad_request` for
   * an invalid secret.
   */
  rotate(id: string, value: string, overlapMs: number): Promise<Receiver> {
    return this.#changes.take(() => this.#rotate(id, value, overlapMs));
  }

  async #rotate(id: string, value: string, overlapMs: number): Promise<Receiver> {
    const receiver = await this.get(id);
    checkSecret(receiver.scheme, value);
    const now = this.#clock.now();
    const end = now + overlapMs;
    const old = receiver.secrets
      .filter((secret) => secret.value !== value)
      .map((secret) => ({ value: secret.value, until: Math.min(secret.until ?? end, end) }))
      .filter(({ until }) => until > now)
      .slice(0, maxOldSecrets);
    return this.#store.updateReceiver(id, { ...receiver, secrets: [{ value }, ...old] }, now);
  }

  /** Each caller reads the version, so that it sees all earlier changes. Callers with the same version share one load. */
  async #known(): Promise<ReadonlyMap<string, Receiver>> {
    const version = await this.#store.receiverVersion();
    if (this.#loaded?.version === version) return this.#loaded.byId;
    const loaded = { version, byId: this.#load() };
    this.#loaded = loaded;
    loaded.byId.catch(() => {
      if (this.#loaded === loaded) this.#loaded = undefined;
    });
    return loaded.byId;
  }

  async #load(): Promise<ReadonlyMap<string, Receiver>> {
    const receivers = await this.#store.listReceivers();
    return new Map(receivers.map((receiver) => [receiver.id, receiver]));
  }
}

/** Removes undefined fields, so that existing values stay. */
const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/**
 * Returns valid settings. A delivery must be retained at least as long as it is needed for deduplication. Throws
 * `bad_request` if the scheme does not allow GET.
 */
function checked(settings: ReceiverSettings): ReceiverSettings {
  const { methods, scheme, keepMs, dedupeMs } = settings;
  if (methods.includes('GET') && verifiesBody(scheme))
    throw new AppError(
      'bad_request',
      `methods: the scheme ${scheme} does not allow GET, because it verifies the body. Use bearer, gitlab, basic or header.`,
      { details: { field: 'methods' } },
    );
  return { ...settings, keepMs: Math.max(keepMs, dedupeMs) };
}

/** Validates a secret: a Standard Webhooks secret is base64; a bearer token must fit into a header. */
function checkSecret(scheme: ReceiverSettings['scheme'], secret: string): void {
  if (scheme === 'standard' && !/^(?:whsec_)?[A-Za-z0-9+/_-]{22,}={0,2}$/.test(secret)) {
    throw new AppError(
      'bad_request',
      'secrets: a Standard Webhooks secret must be the Base64 of at least 16 bytes, such as "whsec_" and the output of "openssl rand -base64 32"',
      { details: { field: 'secrets' } },
    );
  }
  if (scheme === 'basic' && !/^[^:]+:./.test(secret))
    throw new AppError('bad_request', 'secrets: must have the form user:password', {
      details: { field: 'secrets' },
    });
  if (scheme === 'header' && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+: *[\x21-\x7e]/.test(secret))
    throw new AppError('bad_request', 'secrets: must be a header such as "X-Api-Key: value"', {
      details: { field: 'secrets' },
    });
  if (['bearer', 'gitlab'].includes(scheme) && !/^[\x21-\x7e]+$/.test(secret)) {
    throw new AppError('bad_request', 'secrets: a token can only contain ASCII characters without spaces', {
      details: { field: 'secrets' },
    });
  }
}
