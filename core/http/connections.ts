import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

interface Connection {
  readonly socket: Socket;
  /** Under way. */
  requests: number;
  /** There were as many as there may be when it came. */
  readonly isExcess: boolean;
}

/** Connections beyond those that are served, which are told so; any more are dropped without a word. */
const refusedAtOnce = 64;

/** The connections of a server, so that it can stop without waiting for those that ask nothing. */
export class Connections {
  /** By their ends: with TLS a request's socket is another object than that of its connection. */
  readonly #open = new Map<string, Connection>();
  readonly #most: number;
  #closing = false;

  /** @param most how many are served at once */
  constructor(most: number) {
    this.#most = most;
  }

  watch(app: FastifyInstance): void {
    app.server.maxConnections = this.#most + refusedAtOnce;
    app.server.on('connection', (socket: Socket) => {
      const ends = nameEnds(socket);
      this.#open.set(ends, { socket, requests: 0, isExcess: this.#open.size >= this.#most });
      socket.once('close', () => this.#open.delete(ends));
    });
    app.server.on('request', ({ socket }, response) => {
      const connection = this.#open.get(nameEnds(socket));
      if (connection === undefined) return;
      connection.requests += 1;
      response.once('close', () => (connection.requests -= 1));
    });
    app.addHook('onRequest', async (request, reply) => {
      if (this.#open.get(nameEnds(request.socket))?.isExcess === true) {
        void reply.header('connection', 'close');
        throw new AppError(
          'unavailable',
          `The server has ${this.#most} connections open, which is as many as it serves; try again later.`,
        );
      }
      if (this.#closing) throw new AppError('unavailable', 'The server is stopping.');
    });
    // A connection that stays open after its last reply would hold up the stop.
    app.addHook('onSend', async (_request, reply) => {
      if (this.#closing) void reply.header('connection', 'close');
    });
  }

  /** From now on every request is refused, and connections without one are ended. */
  refuseNew(): void {
    this.#closing = true;
    for (const { socket, requests } of [...this.#open.values()]) if (requests === 0) socket.destroy();
  }

  /** Ends all connections, whatever they wait for. */
  cut(): void {
    for (const { socket } of [...this.#open.values()]) socket.destroy();
  }
}

const nameEnds = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
