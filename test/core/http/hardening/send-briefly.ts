import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a test looks at. */
export interface BriefReply {
  readonly status: number;
  readonly type: string | undefined;
  /** Empty for a stream, which is left at once. */
  readonly body: string;
}

/** How long a reply may take on the busiest machine, milliseconds. */
const patienceMs = 20_000;

/** Sends a request as it is, without escapes; a stream that is answered is not read. Rejects when nothing is answered. */
export function sendBriefly(
  port: number,
  wish: { readonly method: string; readonly path: string; readonly body: string | undefined },
  headers: Readonly<Record<string, string>> = {},
): Promise<BriefReply> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = wish;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const given = { ...type, ...headers };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: given, agent: false });
    outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error(`no reply to ${method} ${path}`)));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const contentType = received['content-type'];
      if (contentType?.startsWith('text/event-stream') === true) {
        incoming.destroy();
        return resolve({ status, type: contentType, body: '' });
      }
      text(incoming).then((all) => resolve({ status, type: contentType, body: all }), reject);
    });
    outgoing.end(body);
  });
}
