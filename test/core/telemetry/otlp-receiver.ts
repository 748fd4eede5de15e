import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../rig/servers/loopback.ts';
import { decodeSpans, type ReceivedSpan } from './decode-spans.ts';

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver of OTLP over HTTP on loopback, which keeps what it is sent. */
export interface Receiver {
  /** Without a path. */
  readonly url: string;
  readonly posts: readonly ReceivedPost[];
  /** All that were sent as protobuf. */
  readonly spans: readonly ReceivedSpan[];
  readonly server: Server;
}

/** @param answer status and body of the answer to each post; 200 with nothing when absent */
export async function startReceiver(
  answer: (count: number) => { status: number; body?: Uint8Array } | undefined = () => undefined,
): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      posts.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: answered } = answer(posts.length) ?? { status: 200 };
      response.statusCode = status;
      response.end(answered);
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    get spans() {
      return posts
        .filter(({ headers }) => headers['content-type'] === 'application/x-protobuf')
        .flatMap(({ body }) => decodeSpans(body));
    },
    server,
  };
}
