import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import type { BaseFile } from '../home/library/base-file.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import type { SendHomeMail } from '../run/home-mail.ts';
import { type HostHeartbeat, ServiceLeases } from '../run/hosts.ts';
import type { Store } from '../store/open-store.ts';
import type { LazySecrets } from '../store/secrets/lazy-secrets.ts';
import type { ShowNotice } from './notifications/message.ts';
import type { WebhookSender } from './outbound/sender.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { Webhooks } from './webhooks.ts';

interface LazyWebhooksOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: EngineConfig;
  readonly library: WorkflowLibrary;
  readonly base: BaseFile;
  readonly sendMail: SendHomeMail;
  readonly secrets: LazySecrets;
  readonly showNotice: ShowNotice | undefined;
  readonly host: HostHeartbeat;
}

/** Outgoing webhooks. Neither the catalog nor the sender is loaded before it is needed: most commands need neither. */
export class LazyWebhooks {
  readonly #options: LazyWebhooksOptions;
  #webhooks: Promise<Webhooks> | undefined;
  #notifications: Promise<Notifications> | undefined;
  #sender: Promise<WebhookSender> | undefined;
  #running: WebhookSender | undefined;

  constructor(options: LazyWebhooksOptions) {
    this.#options = options;
  }

  /** Opens the management of webhooks. */
  readonly open = (): Promise<Webhooks> => (this.#webhooks ??= this.#openWebhooks());

  /** Opens the management of notifications. */
  readonly openNotifications = (): Promise<Notifications> =>
    (this.#notifications ??= this.#createNotifications());

  /** Sends pending messages until it is closed. */
  async send(): Promise<void> {
    this.#sender ??= this.#openSender();
    const sender = await this.#sender;
    this.#running = sender;
    await sender.start();
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
    const { Webhooks: Opened } = await import('./webhooks.ts');
    const { store, clock } = this.#options;
    return new Opened(store.webhooks, clock, Math.random, this.wake);
  }

  async #createNotifications(): Promise<Notifications> {
    const { Notifications: Opened } = await import('./notifications/notifications.ts');
    const { store, clock, library, base, sendMail, secrets, showNotice } = this.#options;
    return new Opened({
      webhooks: store.webhooks,
      store: store.notifications,
      runs: store,
      library,
      base,
      pings: store.pings,
      clock,
      sendMail,
      secrets,
      showNotice,
      wake: this.wake,
    });
  }

  async #openSender(): Promise<WebhookSender> {
    const { WebhookSender: Opened } = await import('./outbound/sender.ts');
    const { store, clock, logger, config, host } = this.#options;
    const { NotificationDecider } = await import('./notifications/decider.ts');
    const { library, base, sendMail, secrets, showNotice } = this.#options;
    return new Opened({
      store: store.webhooks,
      dataVersion: () => store.dataVersion(),
      commitRevision: () => store.commitRevision(),
      leases: new ServiceLeases(store, clock, host),
      clock,
      logger,
      random: Math.random,
      retentionMs: config.webhooks.retentionDays * 86_400_000,
      notifications: {
        store: store.notifications,
        sendMail,
        readSecret: secrets.read,
        showNotice,
        decider: new NotificationDecider({
          store: store.notifications,
          commitRevision: () => store.commitRevision(),
          runs: store,
          library,
          base,
          pings: store.pings,
          clock,
          logger,
          publicUrl: config.server.publicUrl?.replace(/\/$/, ''),
        }),
      },
    });
  }
}
