import type { Client } from 'pg';
import type { Clock, Dispose } from '../../../base/clock.ts';
import type { ChangeKind } from '../rows.ts';
import type { Connection } from './connection.ts';
import { channel } from './sql.ts';

const firstPauseMs = 250;
const maxPauseMs = 5000;
const kinds: readonly string[] = ['offered', 'changed', 'cancelled'] satisfies ChangeKind[];

/** Notifies waiting callers: a connection that receives NOTIFY and reconnects when lost. */
export class NotificationListener {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #listeners = new Set<(kind: ChangeKind) => void>();
  #client: Client | undefined;
  #isOpening = false;
  #stopWaiting: Dispose | undefined;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  listen(listener: (kind: ChangeKind) => void): Dispose {
    const wrapper = (kind: ChangeKind): void => listener(kind);
    this.#listeners.add(wrapper);
    this.#open(firstPauseMs);
    return () => {
      this.#listeners.delete(wrapper);
      if (this.#listeners.size === 0) void this.close();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** @param pauseMs delay before the next attempt if this one fails */
  #open(pauseMs: number): void {
    if (this.#client !== undefined || this.#isOpening || this.#stopWaiting !== undefined) return;
    this.#isOpening = true;
    this.#connect().then(
      () => {
        this.#isOpening = false;
        // Notifications during the disconnection were missed.
        for (const kind of kinds) this.#notify(kind);
      },
      () => {
        this.#isOpening = false;
        this.#reconnectLater(pauseMs);
      },
    );
  }

  #reconnectLater(pauseMs: number): void {
    if (this.#listeners.size === 0 || this.#stopWaiting !== undefined) return;
    // Unlike `after`, this timer does not keep the process alive.
    const stop = this.#clock.every(pauseMs, () => {
      stop();
      this.#stopWaiting = undefined;
      this.#open(Math.min(pauseMs * 2, maxPauseMs));
    });
    this.#stopWaiting = stop;
  }

  async #connect(): Promise<void> {
    const client = await this.#connection.openClient();
    client.on('error', () => this.#onLost(client));
    client.on('end', () => this.#onLost(client));
    client.on('notification', ({ payload }) => this.#notify(payload ?? ''));
    await client.query(`LISTEN ${channel}`);
    if (this.#listeners.size === 0) await client.end();
    else this.#client = client;
  }

  #onLost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#reconnectLater(firstPauseMs);
  }

  #notify(kind: string): void {
    if (!kinds.includes(kind)) return;
    for (const listener of [...this.#listeners]) listener(kind as ChangeKind);
  }
}
