import type { EngineParts } from '../api/engine-parts.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { OwnHost } from '../hosts/own-host.ts';
import { StoredServiceLeases } from '../hosts/service-leases.ts';
import type { Store } from '../store/open-store.ts';
import type { WebhookSender } from '../webhooks/outbound/sender.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { InboundOpener, type InboundWiring } from './open-inbound.ts';

/** Dependencies of webhooks. */
interface WebhookParts {
  readonly store: Store;
  readonly clock: EngineParts['clock'];
  readonly logger: Logger;
  readonly config: EngineConfig;
}

/** Outgoing webhooks. Neither the catalog nor the sender is loaded before it is needed: most commands need neither. */
export class WebhooksOpener {
  readonly #parts: WebhookParts;
  readonly #host: OwnHost;
  #webhooks: Promise<Webhooks> | undefined;
  #sender: Promise<WebhookSender> | undefined;
  #running: WebhookSender | undefined;

  constructor(parts: WebhookParts, host: OwnHost) {
    this.#parts = parts;
    this.#host = host;
  }

  /** Opens the management of webhooks. */
  readonly open = (): Promise<Webhooks> => (this.#webhooks ??= this.#openWebhooks());

  /** Sends pending messages until it is closed. */
  async send(): Promise<void> {
    this.#sender ??= this.#openSender();
    const sender = await this.#sender;
    this.#running = sender;
    sender.start();
  }

  /** Notifies the sender of new messages, or that a particular hook can be tried again. */
  readonly wake = (hookId?: number): void => this.#running?.wake(hookId);

  /** Stops sending; it can be started again. */
  async close(): Promise<void> {
    const sender = this.#sender;
    this.#sender = undefined;
    this.#running = undefined;
    await (await sender)?.close();
  }

  async #openWebhooks(): Promise<Webhooks> {
    const { Webhooks: Opened } = await import('../webhooks/webhooks.ts');
    const { store, clock } = this.#parts;
    return new Opened({ store: store.webhooks, clock, random: Math.random, wake: this.wake });
  }

  async #openSender(): Promise<WebhookSender> {
    const { WebhookSender: Opened } = await import('../webhooks/outbound/sender.ts');
    const { store, clock, logger, config } = this.#parts;
    return new Opened({
      store: store.webhooks,
      foreignVersion: () => store.foreignVersion(),
      leases: new StoredServiceLeases({ store, clock, host: this.#host }),
      clock,
      logger,
      random: Math.random,
      keptMs: config.webhooks.retentionDays * 86_400_000,
    });
  }
}

/** Opens incoming and outgoing webhooks. */
export const openWebhooks = (
  wiring: InboundWiring & WebhookParts & { readonly host: OwnHost },
): { readonly inbound: InboundOpener; readonly webhooks: WebhooksOpener } => ({
  inbound: new InboundOpener(wiring),
  webhooks: new WebhooksOpener(wiring, wiring.host),
});
