import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

/** The requests under way, so that a stopping server can refuse new ones and cut those that do not end. */
export class OpenRequests {
  readonly #sockets = new Set<Socket>();
  #closing = false;

  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      const { socket } = request.raw;
      this.#sockets.add(socket);
      reply.raw.once('close', () => this.#sockets.delete(socket));
      if (this.#closing) throw new AppError('unavailable', 'The server is stopping.');
    });
    // A connection that stays open after its last reply would hold up the stop.
    app.addHook('onSend', async (_request, reply) => {
      if (this.#closing) void reply.header('connection', 'close');
    });
  }

  /** From now on every request is refused. */
  refuseNew(): void {
    this.#closing = true;
  }

  /** Ends the connections of all requests under way, whatever they wait for. */
  cut(): void {
    for (const socket of [...this.#sockets]) socket.destroy();
  }
}
