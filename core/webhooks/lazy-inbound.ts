import path from 'node:path';
import type { ReceivedStore, Receiver } from '../store/types/receivers.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import type { HomePaths } from '../home/config/home.ts';
import { readServerAddress, removeServerAddress, writeServerAddress } from '../home/service/service-info.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import type { Queues } from '../run/queue/queues.ts';
import type { RunStore } from '../store/types/runs.ts';
import type { RunService } from '../run/run-service.ts';
import type { DeliveryReceiver } from './receiving/delivery-receiver.ts';
import { Receivers } from './receiving/receivers.ts';
import type { Backlog } from './receiving/backlog.ts';
import type { Listener } from './receiving/match-workflows.ts';
import type { PayloadFiles, RunStarter } from './receiving/run-starter.ts';

/** Dependencies for receiving webhooks. */
export interface LazyInboundOptions {
  readonly store: RunStore & { readonly received: ReceivedStore };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: EngineConfig;
  readonly paths: HomePaths;
  readonly library: WorkflowLibrary;
  readonly runs: RunService;
  readonly queues: Queues;
}

interface Opened {
  readonly intake: DeliveryReceiver;
  readonly starter: RunStarter;
  readonly backlog: Backlog;
  readonly payloads: PayloadFiles;
  listeners(): readonly Listener[];
  matchesReceiver(listener: Listener, receiver: Receiver): boolean;
}

/** Interval at which a server without receivers checks for a new one, in milliseconds. */
const pollIntervalMs = 1000;

/** Incoming webhooks of this home; most of it is loaded on demand, which for a command is never. */
export class LazyInbound {
  readonly receivers: Receivers;
  readonly store: ReceivedStore;
  readonly #options: LazyInboundOptions;
  #opened: Promise<Opened> | undefined;
  #url: string | undefined;
  #stopLooking: Dispose | undefined;
  /** The last look for receivers, and the revision of the store before it. */
  #looking: Promise<void> | undefined;
  #lookedAt = '';
  #isClosed = false;

  constructor(options: LazyInboundOptions) {
    this.#options = options;
    this.store = options.store.received;
    this.receivers = new Receivers(this.store, options.clock);
  }

  /** Returns the request handler; opened at the first request. */
  async intake(): Promise<DeliveryReceiver> {
    return (await this.#open()).intake;
  }

  /** URL of the receiving server, without a trailing slash. */
  baseUrl(): string {
    const { server } = this.#options.config;
    if (server.publicUrl !== undefined) return server.publicUrl.replace(/\/+$/, '');
    return this.serverUrl() ?? `http://${server.host}:${server.port}${server.basePath}`;
  }

  /** URL of the running server of the home: this process, or another one on this machine. */
  serverUrl(): string | undefined {
    return this.#url ?? readServerAddress(this.#options.paths.data);
  }

  /** Returns the names of workflow files that listen to a receiver. */
  async listListeners(receiver: Receiver): Promise<string[]> {
    const { listeners, matchesReceiver } = await this.#open();
    const dags = listeners().flatMap((libraryListener) =>
      matchesReceiver(libraryListener, receiver) ? [libraryListener.dag] : [],
    );
    return [...new Set(dags)];
  }

  /** Deletes a receiver with all its deliveries. Rejects with `not_found`. */
  async remove(id: string): Promise<Receiver> {
    const receiver = await this.receivers.delete(id);
    (await this.#open()).payloads.removeAll(receiver.id);
    return receiver;
  }

  /**
   * Called when a server accepts requests: this host now starts the runs of earlier deliveries that have not been
   * started.
   * @param url URL of the server
   */
  serve(url: string): void {
    this.#url = url;
    this.#recordAddress(url);
    // Without a receiver no delivery can have arrived, at other hosts neither.
    this.#stopLooking = this.#options.clock.every(pollIntervalMs, () => this.#look());
    this.#look();
  }

  /** Without the record, other processes print the configured address. */
  #recordAddress(url: string): void {
    try {
      writeServerAddress(this.#options.paths.data, url);
    } catch (error) {
      this.#options.logger.warn('Cannot record the server address', { message: getErrorMessage(error) });
    }
  }

  /** Opens the backlog as soon as there is a receiver. */
  #look(): void {
    this.#looking ??= this.#findReceivers().then((isFound) => {
      this.#looking = undefined;
      if (isFound) this.#openBacklog();
    });
  }

  async #findReceivers(): Promise<boolean> {
    try {
      const revision = this.#options.store.commitRevision();
      if (revision === this.#lookedAt) return false;
      const receivers = await this.receivers.list();
      this.#lookedAt = revision;
      return receivers.length > 0;
    } catch {
      // The check of the backlog then reports the problem, and is repeated.
      return true;
    }
  }

  #openBacklog(): void {
    this.#stopLooking?.();
    if (this.#isClosed) return;
    const { logger } = this.#options;
    this.#open().then(
      ({ backlog }) => {
        if (!this.#isClosed) backlog.open();
      },
      (error: unknown) => logger.error('Cannot receive webhooks', { message: String(error) }),
    );
  }

  /** Waits for starts in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking?.();
    if (this.#url !== undefined) removeServerAddress(this.#options.paths.data);
    await this.#looking;
    const opened = await this.#opened;
    await opened?.intake.settled();
    await opened?.backlog.close();
    await opened?.starter.settled();
  }

  #open(): Promise<Opened> {
    return (this.#opened ??= openInbound(this.#options, this.receivers));
  }
}

async function openInbound(options: LazyInboundOptions, receivers: Receivers): Promise<Opened> {
  const [
    { DeliveryReceiver },
    { Backlog },
    { matchesReceiver, createListenerReader },
    { PayloadFiles, RunStarter },
  ] = await Promise.all([
    import('./receiving/delivery-receiver.ts'),
    import('./receiving/backlog.ts'),
    import('./receiving/match-workflows.ts'),
    import('./receiving/run-starter.ts'),
  ]);
  const { clock, logger, paths, library, runs, queues } = options;
  const store = options.store.received;
  const revision = (): string => options.store.commitRevision();
  const payloads = new PayloadFiles(path.join(paths.data, 'webhooks', 'payloads'));
  const listeners = createListenerReader(library, clock);
  const starter = new RunStarter({
    received: store,
    store: options.store,
    library,
    runs,
    queues,
    clock,
    logger,
    listeners,
    payloads,
  });
  return {
    intake: new DeliveryReceiver(store, clock, receivers, starter, listeners),
    starter,
    backlog: new Backlog({ store, revision, clock, logger, receivers, starter, payloads }),
    payloads,
    listeners,
    matchesReceiver,
  };
}
