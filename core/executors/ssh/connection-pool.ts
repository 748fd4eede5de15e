import type { Client, ClientChannel } from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { connect } from './connect.ts';
import type { RemoteCommand } from './remote-command.ts';
import { remoteShell } from './remote-program.ts';
import { describeTarget, type SshTarget } from './target.ts';

/** Servers allow 10 by default (`MaxSessions`). */
const sessionsPerConnection = 10;
/** How often a channel is asked for when connections break meanwhile. */
const maxTries = 3;
/** Milliseconds that the other side has for its part of a farewell. */
const farewellMs = 2000;

interface Connection {
  readonly client: Client;
  sessions: number;
  limit: number;
}

/** The connections of a run to one host with one login. Broken ones are replaced when the next command comes. */
export class ConnectionPool {
  readonly #target: SshTarget;
  readonly #clock: Clock;
  readonly #connections = new Set<Connection>();
  readonly #commands = new Set<RemoteCommand>();
  readonly #closing = new AbortController();
  #opening: Promise<void> | undefined;

  constructor(target: SshTarget, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
  }

  /** A channel to a shell on the host. Rejects with what went wrong and what to do. */
  async openChannel(): Promise<ClientChannel> {
    for (let tries = 1; ;) {
      const connection = await this.#takeSession();
      try {
        const channel = await requestShell(connection.client);
        channel.once('close', () => (connection.sessions -= 1));
        return channel;
      } catch (thrown) {
        connection.sessions -= 1;
        if (isRefusedChannel(thrown) && connection.sessions > 0) {
          connection.limit = Math.min(connection.limit, connection.sessions);
          continue;
        }
        const isBroken = !this.#connections.has(connection) || !isRefusedChannel(thrown);
        if (!isBroken || tries >= maxTries) throw this.#explain(thrown);
        tries += 1;
        // Commands that run over it go on.
        connection.limit = 0;
        if (connection.sessions === 0) connection.client.end();
      }
    }
  }

  /** Ends the command with the run, should it still be there then. */
  add(command: RemoteCommand): void {
    this.#commands.add(command);
    void command.ended.then(() => this.#commands.delete(command));
  }

  /** Kills what still runs and says goodbye. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    const commands = [...this.#commands];
    for (const command of commands) command.signal('KILL');
    await this.#within(Promise.all(commands.map(({ ended }) => ended)));
    for (const command of this.#commands) command.close();
    const clients = [...this.#connections].map(({ client }) => client);
    const farewells = clients.map(
      (client) =>
        new Promise<void>((resolve) => {
          client.once('close', () => resolve());
          client.end();
        }),
    );
    await this.#within(Promise.all(farewells));
    for (const client of clients) client.destroy();
    await this.#opening?.catch(() => {});
  }

  /** A connection with one session more, which is the caller's to give back. */
  async #takeSession(): Promise<Connection> {
    for (;;) {
      const free = [...this.#connections].find(({ sessions, limit }) => sessions < limit);
      if (free !== undefined) {
        free.sessions += 1;
        return free;
      }
      // One at a time: servers refuse logins that come in crowds.
      this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
      await this.#opening;
    }
  }

  async #open(): Promise<void> {
    const client = await connect(this.#target, this.#closing.signal);
    const connection: Connection = { client, sessions: 0, limit: sessionsPerConnection };
    this.#connections.add(connection);
    client.once('close', () => this.#connections.delete(connection));
  }

  #explain(thrown: unknown): Error {
    const where = describeTarget(this.#target);
    return new Error(
      `${where}: the server did not start the command: ${messageOf(thrown)}. See the log of the server.`,
      {
        cause: thrown,
      },
    );
  }

  /** Waits no longer than a farewell may take. */
  async #within(waited: Promise<unknown>): Promise<void> {
    let dispose = (): void => {};
    const over = new Promise<void>((resolve) => (dispose = this.#clock.after(farewellMs, resolve)));
    await Promise.race([waited, over]);
    dispose();
  }
}

function requestShell(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(remoteShell, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
}

/** The server is there, and does not want one more. */
const isRefusedChannel = (thrown: unknown): boolean =>
  thrown instanceof Error && typeof (thrown as Error & { reason?: unknown }).reason === 'number';
