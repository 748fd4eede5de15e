import { connect } from 'node:net';

/** A request as it goes over the wire, but for its host. */
export interface WireRequest {
  readonly path: string;
  /** With it the request is a POST. */
  readonly body?: string;
}

/** What came of a load. */
export interface Load {
  readonly perSecond: number;
  /** From the sending of each request to the last byte of its answer, milliseconds, in ascending order. */
  readonly latencies: readonly number[];
}

/**
 * Asks a server again and again, each client with one request under way. It does as little as it can: what a client of many
 * talents does for each request would count as time of the server, and take a processor from it.
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
      let said = '';
      const ask = (): void => {
        sent = performance.now();
        if (sent - from >= ms) return void socket.destroy();
        socket.write(bytes[(turn += 1) % bytes.length]!);
      };
      socket.once('connect', ask);
      socket.once('error', reject);
      socket.once('close', () => resolve());
      socket.on('data', (part: Buffer) => {
        said += part.toString('latin1');
        if (!isWhole(said)) return;
        if (!said.startsWith('HTTP/1.1 2')) return void socket.destroy(new Error(said));
        said = '';
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

/** Both servers tell the length of what they send, unless there is nothing. */
function isWhole(said: string): boolean {
  const end = said.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(said.slice(0, end + 2))?.[1];
  return said.length >= end + 4 + Number(length ?? 0);
}
