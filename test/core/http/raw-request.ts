import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** A reply with everything a test looks at. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request whose path and headers go out exactly as given, which `fetch` does not allow. */
export function sendRaw(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (incoming) => {
      text(incoming).then(
        (received) =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: received }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends bytes as they are and gives back all that is answered. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}
