import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { isOwnHost, type ServerNames } from '../origin-guard.ts';
import { responseHeaders } from '../response-headers.ts';

/** First byte of a TLS connection: a handshake record (RFC 8446, 5.1). */
const handshake = 22;

/**
 * Redirects plain http requests on the https port to the same URL with https. The first byte of a connection
 * distinguishes the protocols. Requests with a foreign host name are rejected, so that the server never redirects
 * elsewhere.
 */
export function redirectToHttps(
  server: HttpsServer,
  {
    names,
    clock,
    timeoutMs,
  }: { readonly names: ServerNames; readonly clock: Clock; readonly timeoutMs: number },
): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const plain = createServer((request, response) => respond(request, response, names));
  server.on('connection', (socket: Socket) => {
    const abort = clock.after(timeoutMs, () => socket.destroy());
    socket.once('close', abort);
    // Until a protocol is chosen, there is no other error listener.
    socket.on('error', ignore);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      socket.off('error', ignore);
      if (first[0] === handshake) {
        abort();
        for (const listener of begin) listener.call(server, socket);
      } else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
}

const ignore = (): void => {};

function respond(
  { headers, url = '/' }: IncomingMessage,
  response: ServerResponse,
  names: ServerNames,
): void {
  const { host = '' } = headers;
  const isOwn = isOwnHost(host, names) && url.startsWith('/');
  response.writeHead(isOwn ? 308 : 400, {
    ...responseHeaders,
    'cache-control': 'no-store',
    'content-length': 0,
    connection: 'close',
    ...(isOwn ? { location: `https://${host}${url}` } : {}),
  });
  response.end();
}
