import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExecutorAction } from '../../../../core/model/step.ts';
import { listenOnLoopback } from '../../../harness/servers/ports.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { runStep, startStep, type StepChoice } from '../step-harness.ts';

/** A real server on loopback, and the requests it received. */
export interface StartedServer {
  readonly url: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves when no connection is left. */
  quiet(): Promise<void>;
}

/** Listens on a free port of loopback until the test ends. */
export async function listen(server: NetServer, scheme: string): Promise<StartedServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  const port = await listenOnLoopback(server);
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const requests: IncomingMessage[] = [];
  server.on('request', (request: IncomingMessage) => requests.push(request));
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    requests,
    sockets,
    quiet: () => until(() => sockets.size === 0),
  };
}

export const startServer = (handle: RequestListener): Promise<StartedServer> =>
  listen(createServer(handle), 'http');

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A server with a self-signed certificate for `localhost`. */
export async function startTlsServer(handle: RequestListener): Promise<StartedServer> {
  const folder = makeTemporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, handle), 'https');
}

/** A real proxy: for plain requests, and for CONNECT tunnels. */
export async function startProxy(
  options: { authorization?: string; mute?: boolean } = {},
): Promise<StartedServer & { readonly seen: string[] }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const target = new URL(request.url!);
    response.end(`by proxy for ${target.pathname} of ${request.headers.host}`);
  });
  server.on('connect', (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    // Sockets of an HTTP server stay half open after the other side's end.
    if (options.mute) return void socket.resume().once('end', () => socket.end());
    if (
      options.authorization !== undefined &&
      request.headers['proxy-authorization'] !== options.authorization
    ) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const each of [socket, target]) each.on('error', () => {});
    socket.once('close', () => target.destroy());
    target.once('close', () => socket.destroy());
  });
  return Object.assign(await listen(server, 'http'), { seen });
}

export const httpAction = (command: string, config: ExecutorAction['config'] = {}): ExecutorAction => ({
  kind: 'executor',
  type: 'http',
  command,
  config,
});

export const runHttp = (command: string, config?: ExecutorAction['config'], choice?: StepChoice) =>
  runStep(httpAction(command, config), choice);

export const startHttp = (command: string, config?: ExecutorAction['config'], choice?: StepChoice) =>
  startStep(httpAction(command, config), choice);

/** The whole body of a request. */
export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
