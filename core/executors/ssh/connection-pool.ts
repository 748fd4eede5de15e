import type { Client, ClientChannel } from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { connect } from './connect.ts';
import { type RemoteCommand, remoteShell } from './remote-command.ts';
import { formatTarget, type SshTarget } from './target.ts';

/** Servers allow 10 by default (`MaxSessions`). */
const sessionsPerConnection = 10;
/** Maximum attempts to open a channel if connections break. */
const maxTries = 3;
/** Milliseconds that the other side has to close a connection. */
const closeDelayMs = 2000;

interface Connection {
  readonly client: Client;
  sessions: number;
  limit: number;
}

/** The connections of a run to one host with one login. A broken connection is replaced for the next command. */
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

  /** Opens a channel to a shell on the host. Rejects with the problem and its solution. */
  async openChannel(): Promise<ClientChannel> {
    for (let tries = 1; ;) {
      const connection = await this.#takeSession();
      try {
        const channel = await requestShell(connection.client);
        channel.once('close', () => (connection.sessions -= 1));
        return channel;
      } catch (error) {
        connection.sessions -= 1;
        if (isRefusedChannel(error) && connection.sessions > 0) {
          connection.limit = Math.min(connection.limit, connection.sessions);
          continue;
        }
        const isBroken = !this.#connections.has(connection) || !isRefusedChannel(error);
        if (!isBroken || tries >= maxTries) throw this.#explain(error);
        tries += 1;
        // Commands that already use the connection continue.
        connection.limit = 0;
        if (connection.sessions === 0) connection.client.end();
      }
    }
  }

  /** Registers a command to be ended with the run. */
  add(command: RemoteCommand): void {
    this.#commands.add(command);
    void command.ended.then(() => this.#commands.delete(command));
  }

  /** Kills running commands and closes the connections. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    const commands = [...this.#commands];
    for (const command of commands) command.signal('KILL');
    await this.#within(Promise.all(commands.map(({ ended }) => ended)));
    for (const command of this.#commands) command.close();
    const clients = [...this.#connections].map(({ client }) => client);
    const pendingCloses = clients.map(
      (client) =>
        new Promise<void>((resolve) => {
          client.once('close', () => resolve());
          client.end();
        }),
    );
    await this.#within(Promise.all(pendingCloses));
    for (const client of clients) client.destroy();
    await this.#opening?.catch(() => {});
  }

  /** Returns a connection with one session reserved, which the caller releases. */
  async #takeSession(): Promise<Connection> {
    for (;;) {
      const free = [...this.#connections].find(({ sessions, limit }) => sessions < limit);
      if (free !== undefined) {
        free.sessions += 1;
        return free;
      }
      // Opens one connection at a time, because servers reject many concurrent logins.
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

  #explain(error: unknown): Error {
    const where = formatTarget(this.#target);
    return new Error(
      `${where}: the server did not start the command: ${getErrorMessage(error)}. See the log of the server.`,
      {
        cause: error,
      },
    );
  }

  /** Waits at most for the time that closing may take. */
  async #within(waited: Promise<unknown>): Promise<void> {
    let dispose = (): void => {};
    const over = new Promise<void>((resolve) => (dispose = this.#clock.after(closeDelayMs, resolve)));
    await Promise.race([waited, over]);
    dispose();
  }
}

function requestShell(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(remoteShell, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
}

/** Whether the server responded and rejects another channel. */
const isRefusedChannel = (error: unknown): boolean =>
  error instanceof Error && typeof (error as Error & { reason?: unknown }).reason === 'number';
