import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

/** The connections of a server, so that it can stop without waiting for those that ask nothing. */
export class Connections {
  /** Requests under way by connection. */
  readonly #requests = new Map<Socket, number>();
  /** Connections on which a request has come as a whole since they were last asked about. */
  readonly #heard = new WeakSet<Socket>();
  #closing = false;

  watch(app: FastifyInstance): void {
    app.server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, 0);
      socket.once('close', () => this.#requests.delete(socket));
    });
    app.server.on('request', ({ socket }, response) => {
      this.#count(socket, 1);
      this.#heard.add(socket);
      response.once('close', () => this.#count(socket, -1));
    });
    app.addHook('onRequest', async () => {
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
    this.#heard.delete(socket);
    soon(() => {
      if (!this.#heard.has(socket)) answer();
    });
  }

  /** From now on every request is refused, and connections without one are ended. */
  refuseNew(): void {
    this.#closing = true;
    for (const [socket, requests] of [...this.#requests]) if (requests === 0) socket.destroy();
  }

  /** Ends all connections, whatever they wait for. */
  cut(): void {
    for (const socket of [...this.#requests.keys()]) socket.destroy();
  }

  #count(socket: Socket, change: number): void {
    const requests = this.#requests.get(socket);
    if (requests !== undefined) this.#requests.set(socket, requests + change);
  }
}
