import { randomUUID } from 'node:crypto';
import { toIso, type Clock } from '../base/clock.ts';
import { Turns } from '../base/turns.ts';
import type { JsonObject } from '../base/json.ts';
import type { WebhookKind, HookView, HookOptions } from '../contract/webhook-views.ts';
import type {
  Webhook,
  NewEvent,
  WebhookSecret,
  WebhookSettings,
  WebhookStore,
} from '../store/types/webhooks.ts';
import {
  senderByName,
  toEnterpriseObject,
  toOrganizationObject,
  toRepositoryObject,
  accountId,
  localEnterprise,
  localRepository,
  repositoryId,
  stableId,
} from '../store/webhook-events/repository.ts';
import {
  checkSubscription,
  subscribedEvents,
  findProblems,
  webhookInactiveError,
  webhookNotFoundError,
  fieldsError,
} from './check-webhook.ts';
import { findEvent } from './catalog.ts';

/** `type` of a hook in payloads and the API. */
export const webhookTypes: Readonly<Record<WebhookKind, string>> = {
  repository: 'Repository',
  organization: 'Organization',
  enterprise: 'Enterprise',
  app: 'App',
  marketplace: 'Marketplace::Listing',
  sponsored: 'SponsorsListing',
};

/** Returns the configuration of a hook for payloads and the API. The secret is masked. */
export const toWebhookConfig = ({
  url,
  format,
  verifyTls,
  hasSecret,
}: Pick<HookView, 'url' | 'format' | 'verifyTls' | 'hasSecret'>): JsonObject => ({
  url,
  content_type: format,
  insecure_ssl: verifyTls ? '0' : '1',
  ...(hasSecret && { secret: '********' }),
});

/** Returns a hook as in the payloads of `ping` and `meta`. */
const toWebhookObject = (webhook: Webhook): JsonObject => ({
  type: webhookTypes[webhook.kind],
  id: webhook.id,
  name: 'web',
  active: webhook.active,
  events: [...webhook.events],
  config: toWebhookConfig({ ...webhook, hasSecret: webhook.secrets.length > 0 }),
  created_at: toIso(webhook.createdAt),
  updated_at: toIso(webhook.updatedAt),
  ...(webhook.kind === 'app' && { app_id: webhook.targetId }),
});

/** Messages of `ping`; one is chosen at random. */
const zens = [
  'Acknowledge first, process later.',
  'Make your handlers idempotent.',
  'Expect retries.',
  'Verify every signature.',
  'A timeout is also a failure.',
] as const;

/** Creates the event that a hook receives when it is created, and on request. */
function createPing(webhook: Webhook, by: string | undefined, random: () => number): NewEvent {
  const zen = zens[Math.floor(random() * zens.length)] ?? zens[0];
  return toWebhookEvent(webhook, 'ping', { zen, hook_id: webhook.id, hook: toWebhookObject(webhook) }, by);
}

/** Creates the event that a hook receives when it is deleted. */
const createDeletedEvent = (webhook: Webhook, by: string | undefined): NewEvent =>
  toWebhookEvent(
    webhook,
    'meta',
    { action: 'deleted', hook_id: webhook.id, hook: toWebhookObject(webhook) },
    by,
  );

function toWebhookEvent(
  webhook: Webhook,
  event: string,
  payload: JsonObject,
  by: string | undefined,
): NewEvent {
  return {
    guid: randomUUID(),
    event,
    payload: { ...payload, ...toTargetFields(webhook), sender: senderByName(by) },
    scope: {
      hookId: webhook.id,
      ...(webhook.kind === 'repository' && { repository: webhook.owner, repositoryId: webhook.targetId }),
    },
  };
}

function toTargetFields({ kind, owner }: Webhook): JsonObject {
  if (kind === 'repository') return { repository: toRepositoryObject(owner) };
  if (kind === 'organization') return { organization: toOrganizationObject(owner) };
  if (kind === 'enterprise') return { enterprise: toEnterpriseObject(owner) };
  return {};
}

/** Settings of a new hook. */
export interface NewWebhook {
  readonly kind?: WebhookKind | undefined;
  readonly owner?: string | undefined;
  readonly url: string;
  readonly secret?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly format?: 'json' | 'form' | undefined;
  readonly verifyTls?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly options?: HookOptions | undefined;
}

/** Changes of a hook. */
export interface WebhookChange {
  readonly url?: string | undefined;
  /** Null or empty: no secret. */
  readonly secret?: string | null | undefined;
  readonly events?: readonly string[] | undefined;
  readonly addEvents?: readonly string[] | undefined;
  readonly removeEvents?: readonly string[] | undefined;
  readonly format?: 'json' | 'form' | undefined;
  readonly verifyTls?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly options?: HookOptions | undefined;
}

/** Default owners of hooks. */
const usualOwners: Readonly<Record<WebhookKind, string>> = {
  repository: localRepository,
  organization: localRepository.split('/')[0]!,
  enterprise: localEnterprise,
  app: 'stepwright',
  marketplace: 'stepwright',
  sponsored: localRepository.split('/')[0]!,
};

/** Maximum number of stored secrets. */
const maxSecrets = 2;

/** Manages the hooks of a home and sends their `ping` and `meta` events. */
export class WebhookSubscriptions {
  readonly #store: WebhookStore;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #wake: () => void;
  /** A change depends on the hook, and on the other hooks of its owner. */
  readonly #changes = new Turns();

  /**
   * @param random From 0 to 1.
   * @param wake Called when there is something to send.
   */
  constructor(store: WebhookStore, clock: Clock, random: () => number, wake: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#wake = wake;
  }

  /** Creates a hook and sends a ping. Rejects with `validation_failed`. */
  async create(newWebhook: NewWebhook, by?: string): Promise<Webhook> {
    const webhook = await this.#changes.take(() => this.#create(newWebhook));
    if (webhook.active && canPing(webhook)) await this.ping(webhook.id, by);
    return webhook;
  }

  async #create(newWebhook: NewWebhook): Promise<Webhook> {
    const { kind = 'repository', secret } = newWebhook;
    const owner = newWebhook.owner ?? usualOwners[kind];
    const settings = await this.#check({
      kind,
      owner,
      targetId: getTargetId(kind, owner),
      url: newWebhook.url,
      format: newWebhook.format ?? 'json',
      secrets: secret ? [{ value: secret }] : [],
      verifyTls: newWebhook.verifyTls ?? true,
      active: newWebhook.active ?? true,
      events: newWebhook.events ?? ['*'],
      options: newWebhook.options ?? {},
    });
    return this.#store.createWebhook(settings, this.#clock.now());
  }

  /** Rejects with `not_found`. */
  async get(id: number): Promise<Webhook> {
    const webhook = await this.#store.findWebhook(id);
    if (webhook === undefined || webhook.channel !== undefined) throw webhookNotFoundError(id);
    return webhook;
  }

  /** Changes a hook; absent fields stay unchanged. Rejects with `not_found`, `validation_failed`. */
  update(id: number, change: WebhookChange): Promise<Webhook> {
    return this.#changes.take(() => this.#update(id, change));
  }

  async #update(id: number, change: WebhookChange): Promise<Webhook> {
    const webhook = await this.get(id);
    const { secret, addEvents = [], removeEvents = [] } = change;
    const removed = new Set(removeEvents.map(canonicalEventName));
    const events = [...(change.events ?? webhook.events), ...addEvents].filter(
      (event) => !removed.has(canonicalEventName(event)),
    );
    const settings = await this.#check(
      {
        ...webhook,
        url: change.url ?? webhook.url,
        format: change.format ?? webhook.format,
        secrets: secret === undefined ? webhook.secrets : secret ? [{ value: secret }] : [],
        verifyTls: change.verifyTls ?? webhook.verifyTls,
        active: change.active ?? webhook.active,
        events: events.length === 0 ? throwNoEvents() : events,
        options: change.options ?? webhook.options,
      },
      id,
    );
    return this.#changed(id, settings);
  }

  /** Signs with a new secret; the old one stays valid for a while. Rejects with `not_found`. */
  rotateSecret(id: number, secret: string, overlapMs: number): Promise<Webhook> {
    return this.#changes.take(async () => {
      const webhook = await this.get(id);
      const [current] = webhook.secrets;
      const until = this.#clock.now() + overlapMs;
      const former: WebhookSecret[] =
        current === undefined || overlapMs === 0 ? [] : [{ value: current.value, until }];
      const secrets = [{ value: secret }, ...former].slice(0, maxSecrets);
      return this.#changed(id, { ...webhook, secrets });
    });
  }

  /** Deletes a hook; if subscribed to `meta`, it receives that event. Rejects with `not_found`. */
  delete(id: number, by?: string): Promise<Webhook> {
    return this.#changes.take(async () => {
      const webhook = await this.get(id);
      const isNotified = webhook.active && subscribedEvents(webhook).has('meta');
      const event = isNotified ? createDeletedEvent(webhook, by) : undefined;
      await this.#store.deleteWebhook(id, this.#clock.now(), event);
      this.#wake();
      return webhook;
    });
  }

  /**
   * Sends a `ping` and returns its GUID. Rejects with `not_found`, or `validation_failed` for a kind without ping.
   */
  async ping(id: number, by?: string): Promise<string> {
    const webhook = await this.get(id);
    if (!canPing(webhook))
      throw fieldsError('Hook', [
        { field: 'kind', code: 'invalid', message: 'Webhooks of sponsored accounts do not support "ping".' },
      ]);
    if (!webhook.active) throw webhookInactiveError(id);
    const [event] = await this.#store.addEvents([createPing(webhook, by, this.#random)], this.#clock.now());
    this.#wake();
    return event!.guid;
  }

  async #changed(id: number, settings: WebhookSettings): Promise<Webhook> {
    const webhook = await this.#store.updateWebhook(id, settings, this.#clock.now());
    if (webhook === undefined) throw webhookNotFoundError(id);
    this.#wake();
    return webhook;
  }

  async #check(settings: WebhookSettings, exceptId?: number): Promise<WebhookSettings> {
    const { kind, owner } = settings;
    const all = await this.#store.listWebhooks({ kind, owner, limit: Number.MAX_SAFE_INTEGER });
    const others = all.filter(({ id }) => id !== exceptId);
    const problems = findProblems(settings, others);
    if (problems.length > 0) throw fieldsError('Hook', problems);
    const checked = checkSubscription({ ...settings, permissions: settings.options.permissions });
    return { ...settings, events: checked.ok ? checked.events : settings.events };
  }
}

const canPing = ({ kind }: Webhook): boolean => findEvent('ping')!.availability.includes(kind);

const canonicalEventName = (event: string): string => findEvent(event)?.name ?? event;

function throwNoEvents(): never {
  throw fieldsError('Hook', [
    {
      field: 'events',
      code: 'missing',
      message: 'A webhook requires at least one event. To stop it, deactivate or delete the webhook.',
    },
  ]);
}

/** Returns the target id in deliveries, the same for every hook of an owner. */
function getTargetId(kind: WebhookKind, owner: string): number {
  if (kind === 'repository') return repositoryId(owner);
  if (kind === 'organization' || kind === 'sponsored') return accountId(owner);
  return stableId(`${kind} ${owner}`);
}
