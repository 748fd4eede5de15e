import type { EventScope, Webhook, StoredEvent, WebhookStore } from '../../store/types/webhooks.ts';
import { type AccessLevel, canReceive, subscribedEvents } from '../check-webhook.ts';
import { findEvent, receivesAction } from '../catalog.ts';
import { isSame, findInstallation } from './build-request.ts';

type WebhookSource = Pick<WebhookStore, 'allWebhooks' | 'webhookVersion'>;

/** All hooks by subscribed event, reloaded only after a change. */
export class WebhookCache {
  readonly #store: WebhookSource;
  #version = -1;
  readonly #byId = new Map<number, Webhook>();
  readonly #byEvent = new Map<string, Webhook[]>();

  constructor(store: WebhookSource) {
    this.#store = store;
  }

  /** Whether a hook has changed since the last load. */
  async isOutdated(): Promise<boolean> {
    return (await this.#store.webhookVersion()) !== this.#version;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Reloads the hooks after a change. */
  async refresh(): Promise<void> {
    const version = await this.#store.webhookVersion();
    if (version === this.#version) return;
    const webhooks = await this.#store.allWebhooks();
    // Another caller may have loaded a later version meanwhile.
    if (version <= this.#version) return;
    this.#version = version;
    this.#byId.clear();
    this.#byEvent.clear();
    for (const webhook of webhooks) this.#add(webhook);
  }

  find(id: number): Webhook | undefined {
    return this.#byId.get(id);
  }

  /** Returns the hooks that receive an event. */
  select(event: Pick<StoredEvent, 'event' | 'action' | 'scope' | 'occurredAt'>): Webhook[] {
    const { scope } = event;
    if (scope.hookId !== undefined) {
      const only = this.#byId.get(scope.hookId);
      return only === undefined ? [] : [only];
    }
    return (this.#byEvent.get(event.event) ?? []).filter(
      (webhook) =>
        webhook.createdAt <= event.occurredAt && belongsTo(webhook, scope) && mayHave(webhook, event),
    );
  }

  #add(webhook: Webhook): void {
    this.#byId.set(webhook.id, webhook);
    if (!webhook.active || webhook.deletedAt !== undefined || webhook.channel !== undefined) return;
    const { kind, events, options } = webhook;
    for (const name of subscribedEvents({ kind, events, permissions: options.permissions })) {
      const webhooks = this.#byEvent.get(name) ?? [];
      webhooks.push(webhook);
      this.#byEvent.set(name, webhooks);
    }
  }
}

/** Whether an event belongs to a hook's owner. Names are case-insensitive. */
function belongsTo(webhook: Webhook, scope: EventScope): boolean {
  switch (webhook.kind) {
    case 'repository':
      return isSame(webhook.owner, scope.repository);
    case 'marketplace':
      // Marketplace events do not name the listing; a home has only one.
      return true;
    case 'organization':
    case 'sponsored':
      return isSame(webhook.owner, scope.organization);
    case 'enterprise':
      return isSame(webhook.owner, scope.enterprise);
    case 'app':
      return findInstallation(webhook, scope) !== undefined;
  }
}

function mayHave(
  { kind, options }: Webhook,
  { event: name, action }: Pick<StoredEvent, 'event' | 'action'>,
): boolean {
  const event = findEvent(name);
  if (event === undefined || !receivesAction(event, kind, action)) return false;
  if (kind !== 'app' || event.rules.alwaysSent?.includes('app') === true) return true;
  const permissions: Readonly<Record<string, AccessLevel>> = options.permissions ?? {};
  return canReceive(event, action, permissions);
}
