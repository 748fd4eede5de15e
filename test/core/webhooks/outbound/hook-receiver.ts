import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenOver } from '../../../rig/when-over.ts';

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine, which answers as a test says. */
export class HookReceiver {
  readonly received: Received[] = [];
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  /** Begins to listen. `answer` gets the requests so far, this one included. */
  static async open(
    answer: (response: ServerResponse, request: Received, count: number) => void = (response) =>
      void response.writeHead(204).end(),
  ): Promise<HookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => {});
      request.on('end', () => {
        const { url = '', headers } = request;
        const one = { path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
        receiver.received.push(one);
        answer(response, one, receiver.received.length);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    whenOver(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const receiver = new HookReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return receiver;
  }
}
