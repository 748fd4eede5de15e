import { connect } from 'node:net';

/** A request as sent over the wire, without its host. */
export interface WireRequest {
  readonly path: string;
  /** If set, the request is a POST. */
  readonly body?: string;
}

/** Results of a load. */
export interface Load {
  readonly perSecond: number;
  /** From sending each request to the last byte of its response, in milliseconds, ascending. */
  readonly latencies: readonly number[];
}

/**
 * Sends requests repeatedly, one in progress per client. It does as little as possible: the work of a full
 * HTTP client would count as server time, and take CPU from the server.
 * @throws Error for a status other than 2xx
 */
export async function load(
  url: string,
  { clients, ms, requests }: { clients: number; ms: number; requests: readonly WireRequest[] },
): Promise<Load> {
  const { host, hostname, port } = new URL(url);
  const bytes = requests.map((request) => write(request, host));
  const latencies: number[] = [];
  const from = performance.now();
  let turn = 0;
  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname).setNoDelay(true);
      let sent = 0;
      let output = '';
      const ask = (): void => {
        sent = performance.now();
        if (sent - from >= ms) return void socket.destroy();
        socket.write(bytes[(turn += 1) % bytes.length]!);
      };
      socket.once('connect', ask);
      socket.once('error', reject);
      socket.once('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        output += chunk.toString('latin1');
        if (!isWhole(output)) return;
        if (!output.startsWith('HTTP/1.1 2')) return void socket.destroy(new Error(output));
        output = '';
        latencies.push(performance.now() - sent);
        ask();
      });
    });
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (latencies.length * 1000) / (performance.now() - from);
  return { perSecond, latencies: latencies.sort((a, b) => a - b) };
}

function write({ path, body }: WireRequest, host: string): Buffer {
  const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const length = Buffer.byteLength(body);
  return Buffer.from(`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);
}

/** Both servers send a content length, unless the body is empty. */
function isWhole(output: string): boolean {
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(output.slice(0, end + 2))?.[1];
  return output.length >= end + 4 + Number(length ?? 0);
}
