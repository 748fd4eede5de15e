import type { Client } from 'pg';
import type { Clock, Dispose } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';

type NoticeListener = (payload: string | undefined) => void;

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/** A connection that receives NOTIFY and reconnects when lost. */
export class ChannelListener {
  readonly #connect: () => Promise<Client>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<NoticeListener>>();
  #client: Promise<Client> | undefined;
  #stopWaiting: Dispose | undefined;
  #isClosed = false;

  /** @param connect opens a dedicated connection outside the pool */
  constructor(connect: () => Promise<Client>, clock: Clock, logger: Logger) {
    this.#connect = connect;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Implements `GatewayDatabase.listen`. Rejects if the first connection fails. */
  async listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>> {
    const client = await (this.#client ??= this.#open());
    await client.query(`LISTEN ${quote(channel)}`);
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    return async () => {
      listeners.delete(onNotice);
      if (listeners.size > 0 || !this.#listeners.delete(channel)) return;
      if (this.#listeners.size === 0) await this.#disconnect();
      else await (await this.#client)?.query(`UNLISTEN ${quote(channel)}`);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    this.#stopWaiting?.();
    const client = this.#client;
    this.#client = undefined;
    await client?.then(
      (open) => open.end(),
      () => undefined,
    );
  }

  async #open(): Promise<Client> {
    try {
      const client = await this.#connect();
      const onConnectionLost = (): void => this.#onLost(client);
      client.on('error', onConnectionLost);
      client.on('end', onConnectionLost);
      client.on('notification', ({ channel, payload }) => this.#notify(channel, payload ?? ''));
      for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${quote(channel)}`);
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  #onLost(client: Client): void {
    client.removeAllListeners('end');
    if (this.#isClosed || this.#client === undefined || this.#listeners.size === 0) return;
    this.#client = undefined;
    this.#logger.warn('Lost the connection for database notifications, reconnecting');
    this.#reopen(firstPauseMs);
  }

  #reopen(pauseMs: number): void {
    this.#stopWaiting?.();
    // Unlike `after`, this timer does not keep the process alive.
    const stop = this.#clock.every(pauseMs, () => {
      stop();
      if (this.#isClosed || this.#client !== undefined) return;
      this.#client = this.#open();
      this.#client.then(
        () => {
          for (const channel of this.#listeners.keys()) this.#notify(channel, undefined);
        },
        (error: unknown) => {
          this.#logger.warn(`Cannot connect for database notifications yet: ${messageOf(error)}`);
          this.#reopen(Math.min(pauseMs * 2, maxPauseMs));
        },
      );
    });
    this.#stopWaiting = stop;
  }

  #notify(channel: string, payload: string | undefined): void {
    for (const onNotice of this.#listeners.get(channel) ?? []) onNotice(payload);
  }
}

const quote = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;
