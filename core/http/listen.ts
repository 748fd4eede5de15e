import type { Socket } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { isLoopbackName } from './origin-guard.ts';

/** Listening address. */
export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly allowRemote?: boolean;
  readonly scheme: 'http' | 'https';
}

/** Binds the server and returns its URL for local browsers. Throws `AppError`. */
export async function listen(app: FastifyInstance, address: Address): Promise<string> {
  const { host, port, scheme } = address;
  if (!isLoopbackName(host) && address.allowRemote !== true) throw remoteBindError(host);
  try {
    await app.listen({ host: toBindAddress(host), port });
  } catch (error) {
    await app.close();
    throw explainBindFailure(error, address);
  }
  const bound = app.server.address();
  return `${scheme}://${toUrlHost(host)}:${typeof bound === 'object' && bound ? bound.port : port}`;
}

function remoteBindError(host: string): AppError {
  return new AppError(
    'forbidden',
    `Refusing to listen on ${host}: this server requires no authentication and other machines could reach it. ` +
      'Set AUTH_MODE=builtin, listen on 127.0.0.1, or use --allow-remote.',
  );
}

function explainBindFailure(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new AppError(
        'unavailable',
        `Port ${port} on ${host} is already in use. Choose another port with --port.`,
        options,
      );
    case 'EACCES':
      return new AppError(
        'forbidden',
        `Permission denied to listen on port ${port}. Choose a port above 1023.`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AppError('bad_request', `${host} is not an address of this machine.`, options);
    default:
      return error;
  }
}

/** Resolves `localhost`, which may have two addresses, to the one that is always available. */
const toBindAddress = (host: string): string =>
  host.toLowerCase() === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');

/** Returns the loopback address for a server on all interfaces. */
function toUrlHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === '0.0.0.0') return '127.0.0.1';
  if (bare === '::') return '[::1]';
  return bare.includes(':') ? `[${bare}]` : bare;
}

interface Connection {
  readonly socket: Socket;
  /** Requests in progress. */
  requests: number;
  /** Why the connection is rejected: the limit was reached in total or for its address. */
  readonly excess: 'all' | 'address' | undefined;
}

/**
 * Connections beyond the limit. They get an error response, or the server's health. A further connection replaces the
 * one that has been silent longest.
 */
const maxExcess = 64;

/** Health endpoint of any version, which is always served. */
const healthPath = /^\/api\/v\d+\/health(?:\?|$)/;

/** Connections of a server, which close on shutdown unless a request is in progress. */
export class Connections {
  /** By address and port pairs: with TLS, a request's socket object differs from the connection's. */
  readonly #open = new Map<string, Connection>();
  /** Connections, by address and port pairs, that have received a complete request since the last check. */
  readonly #completedRequests = new Set<string>();
  readonly #max: number;
  readonly #maxPerAddress: number;
  /** Number of served connections per address, without those beyond the limit. */
  readonly #served = new Map<string | undefined, number>();
  #total = 0;
  #closing = false;

  /**
   * @param max maximum number of served connections
   * @param maxPerAddress maximum number per address
   */
  constructor(max: number, maxPerAddress = max) {
    this.#max = max;
    this.#maxPerAddress = maxPerAddress;
  }

  watch(app: FastifyInstance): void {
    // Twice, because a replaced connection still counts for a moment.
    app.server.maxConnections = this.#max + 2 * maxExcess;
    app.server.on('connection', (socket: Socket) => this.#take(socket));
    app.server.on('request', ({ socket }, response) => {
      const ends = endpointsKey(socket);
      const connection = this.#open.get(ends);
      if (connection === undefined) return;
      connection.requests += 1;
      this.#completedRequests.add(ends);
      response.once('close', () => (connection.requests -= 1));
    });
    app.addHook('onRequest', async (request, reply) => {
      const excess = this.#open.get(endpointsKey(request.socket))?.excess;
      if (excess !== undefined) {
        void reply.header('connection', 'close');
        if (!healthPath.test(request.url)) throw this.#tooManyConnectionsError(excess);
      }
      if (this.#closing) throw new AppError('unavailable', 'The server is stopping.');
    });
    // A connection that stays open after its last reply would delay the shutdown.
    app.addHook('onSend', async (_request, reply) => {
      if (this.#closing) void reply.header('connection', 'close');
    });
  }

  #take(socket: Socket): void {
    const ends = endpointsKey(socket);
    const address = socket.remoteAddress;
    const count = this.#served.get(address) ?? 0;
    const excess = this.#total >= this.#max ? 'all' : count >= this.#maxPerAddress ? 'address' : undefined;
    this.#open.set(ends, { socket, requests: 0, excess });
    if (excess === undefined) {
      this.#served.set(address, count + 1);
      this.#total += 1;
    } else this.#closeExcess();
    socket.once('close', () => {
      this.#open.delete(ends);
      this.#completedRequests.delete(ends);
      if (excess !== undefined) return;
      this.#total -= 1;
      const remaining = this.#served.get(address)! - 1;
      if (remaining > 0) this.#served.set(address, remaining);
      else this.#served.delete(address);
    });
  }

  #closeExcess(): void {
    const beyond = [...this.#open.values()].filter(({ excess, socket }) => excess && !socket.destroyed);
    if (beyond.length <= maxExcess) return;
    beyond.find(({ requests }) => requests === 0)?.socket.destroy();
  }

  #tooManyConnectionsError(excess: 'all' | 'address'): AppError {
    const message =
      excess === 'all'
        ? `The server has reached its limit of ${this.#max} open connections. Try again later.`
        : `Your address has reached the limit of ${this.#maxPerAddress} open connections. Close some, or raise server.maxConnections.`;
    return new AppError('unavailable', message);
  }

  /**
   * Responds to a request timeout, unless the request has already arrived: after a suspension of this process, timers
   * fire before received data is read.
   * @param soon calls back after received data has been read
   */
  respondToTimeout(socket: Socket, soon: (callback: () => void) => void, respond: () => void): void {
    const ends = endpointsKey(socket);
    this.#completedRequests.delete(ends);
    soon(() => {
      if (!this.#completedRequests.has(ends)) respond();
    });
  }

  /** Rejects new requests, and closes idle connections. */
  rejectNew(): void {
    this.#closing = true;
    for (const { socket, requests } of [...this.#open.values()]) if (requests === 0) socket.destroy();
  }

  /** Closes all connections. */
  cut(): void {
    for (const { socket } of [...this.#open.values()]) socket.destroy();
  }
}

const endpointsKey = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

/** A health check on its own port, for a process without another server. */
export interface HealthServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /health` on the loopback interface: 200 and `{"status":"healthy"}`, or 503 and `unhealthy`. Rejects with
 * `unavailable` if the port is in use.
 * @param options.port 0 for any free port
 */
export async function startHealthServer(options: {
  readonly port: number;
  readonly isHealthy: () => boolean;
}): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    if (path !== '/health') return void response.writeHead(404).end('{"code":"not_found"}');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    const isHealthy = options.isHealthy();
    response
      .writeHead(isHealthy ? 200 : 503)
      .end(JSON.stringify({ status: isHealthy ? 'healthy' : 'unhealthy' }));
  });
  await listenOnLoopback(server, options.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}/health`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenOnLoopback(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${port} for the health check is already in use. Set scheduler.port or ENGINE_SCHEDULER_PORT to another port, or to 0 to disable the health check.`
        : `The health check cannot listen on port ${port} (${error.code}). Set scheduler.port or ENGINE_SCHEDULER_PORT to another port, or to 0 to disable it.`;
      reject(new AppError('unavailable', message, { cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
