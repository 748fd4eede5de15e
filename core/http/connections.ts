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
  /** Connections, by their ends, on which a request has come as a whole since they were last asked about. */
  readonly #heard = new Set<string>();
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
      socket.once('close', () => {
        this.#open.delete(ends);
        this.#heard.delete(ends);
      });
    });
    app.server.on('request', ({ socket }, response) => {
      const ends = nameEnds(socket);
      const connection = this.#open.get(ends);
      if (connection === undefined) return;
      connection.requests += 1;
      this.#heard.add(ends);
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

  /**
   * Has a connection whose request is late answered, unless it turns out that the request has been there: after this
   * process was held up or halted, its clock runs out before it reads what has come meanwhile.
   * @param soon calls back when that has been read
   */
  answerLate(socket: Socket, soon: (callback: () => void) => void, answer: () => void): void {
    const ends = nameEnds(socket);
    this.#heard.delete(ends);
    soon(() => {
      if (!this.#heard.has(ends)) answer();
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
