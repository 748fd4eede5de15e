import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

interface Connection {
  readonly socket: Socket;
  /** Under way. */
  requests: number;
  /** Why it is not served: there were as many as there may be when it came, of all or of its address. */
  readonly excess: 'all' | 'address' | undefined;
}

/**
 * Connections beyond those that are served. They are told so, and get the health of the server. A further one takes
 * the place of the one that has said nothing for the longest time.
 */
const placesBeyond = 64;

/** The health of any version, for which there is always a place. */
const healthPath = /^\/api\/v\d+\/health(?:\?|$)/;

/** The connections of a server, so that it can stop without waiting for those that ask nothing. */
export class Connections {
  /** By their ends: with TLS a request's socket is another object than that of its connection. */
  readonly #open = new Map<string, Connection>();
  /** Connections, by their ends, on which a request has come as a whole since they were last asked about. */
  readonly #heard = new Set<string>();
  readonly #most: number;
  readonly #share: number;
  /** Connections that are served, by address; those beyond are not counted. */
  readonly #served = new Map<string | undefined, number>();
  #total = 0;
  #closing = false;

  /**
   * @param most how many are served at once
   * @param share how many of them one address may have
   */
  constructor(most: number, share = most) {
    this.#most = most;
    this.#share = share;
  }

  watch(app: FastifyInstance): void {
    // Twice, since one that makes place for another is counted for a moment longer.
    app.server.maxConnections = this.#most + 2 * placesBeyond;
    app.server.on('connection', (socket: Socket) => this.#take(socket));
    app.server.on('request', ({ socket }, response) => {
      const ends = nameEnds(socket);
      const connection = this.#open.get(ends);
      if (connection === undefined) return;
      connection.requests += 1;
      this.#heard.add(ends);
      response.once('close', () => (connection.requests -= 1));
    });
    app.addHook('onRequest', async (request, reply) => {
      const excess = this.#open.get(nameEnds(request.socket))?.excess;
      if (excess !== undefined) {
        void reply.header('connection', 'close');
        if (!healthPath.test(request.url)) throw this.#refuse(excess);
      }
      if (this.#closing) throw new AppError('unavailable', 'The server is stopping.');
    });
    // A connection that stays open after its last reply would hold up the stop.
    app.addHook('onSend', async (_request, reply) => {
      if (this.#closing) void reply.header('connection', 'close');
    });
  }

  #take(socket: Socket): void {
    const ends = nameEnds(socket);
    const address = socket.remoteAddress;
    const own = this.#served.get(address) ?? 0;
    const excess = this.#total >= this.#most ? 'all' : own >= this.#share ? 'address' : undefined;
    this.#open.set(ends, { socket, requests: 0, excess });
    if (excess === undefined) {
      this.#served.set(address, own + 1);
      this.#total += 1;
    } else this.#makePlace();
    socket.once('close', () => {
      this.#open.delete(ends);
      this.#heard.delete(ends);
      if (excess !== undefined) return;
      this.#total -= 1;
      const left = this.#served.get(address)! - 1;
      if (left > 0) this.#served.set(address, left);
      else this.#served.delete(address);
    });
  }

  #makePlace(): void {
    const beyond = [...this.#open.values()].filter(({ excess, socket }) => excess && !socket.destroyed);
    if (beyond.length <= placesBeyond) return;
    beyond.find(({ requests }) => requests === 0)?.socket.destroy();
  }

  #refuse(excess: 'all' | 'address'): AppError {
    const message =
      excess === 'all'
        ? `The server has reached its limit of ${this.#most} open connections. Try again later.`
        : `Your address has reached the limit of ${this.#share} open connections. Close some, or raise server.maxConnections.`;
    return new AppError('unavailable', message);
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
