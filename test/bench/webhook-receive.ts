/**
 * How many webhooks of 10 kB per second a receiver verifies, stores and answers, and the latency of each,
 * compared with the same server that responds without verifying or storing anything. `node
 * test/bench/webhook-receive.ts [requests]`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../core/index.ts';
import { signBody } from '../../core/webhooks/signature.ts';
import { reportMetric } from './rig/figures.ts';

const count = Number(process.argv[2] ?? 20_000);
const connections = 64;
const rateBudget = 2000;
const p99Budget = 50;
const secret = 'a secret of the benchmark';

const payload = {
  action: 'opened',
  ref: 'refs/heads/main',
  commits: Array.from({ length: 40 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    message: `A change of ${'x'.repeat(60)}`,
    added: [`src/file-${index}.ts`],
    removed: [],
    modified: ['README.md'],
  })),
  filler: '',
};
payload.filler = 'y'.repeat(Math.max(0, 10_000 - JSON.stringify(payload).length));
const body = Buffer.from(JSON.stringify(payload));

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The bytes of a delivery; each has its own id. */
function writeRequest(url: URL, id: number): Buffer {
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'X-Platform-Event: push',
    'X-Platform-Hook-ID: 1',
    `X-Platform-Delivery: ${String(id).padStart(12, '0')}-bench`,
    `X-Hub-Signature-256: ${signature}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
const signature = signBody(body, secret)['X-Hub-Signature-256'];

/** Resolves with the status of the response, which arrives in one chunk. */
function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const onData = (data: Buffer): void => {
      socket.off('error', reject);
      resolve(Number(data.toString('latin1', 9, 12)));
    };
    socket.once('data', onData);
    socket.once('error', reject);
    socket.write(request);
  });
}

interface Load {
  readonly rate: number;
  readonly latencies: readonly number[];
  readonly cpuMs: number;
  readonly rssMb: number;
}

/**
 * Sends requests over several keep-alive connections.
 * @param pace requests per second; default: unlimited
 */
async function load(server: ChildProcess, url: URL, first: number, pace?: number): Promise<Load> {
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(url.port), url.hostname);
      socket.setNoDelay(true);
      await once(socket, 'connect');
      return socket;
    }),
  );
  const before = await usage(server);
  const latencies: number[] = [];
  const started = performance.now();
  let next = 0;
  const lane = async (socket: Socket): Promise<void> => {
    while (next < count) {
      const index = next++;
      const dueAt = pace === undefined ? performance.now() : started + (1000 * index) / pace;
      const wait = dueAt - performance.now();
      if (wait > 0) await pause(wait);
      const status = await exchange(socket, writeRequest(url, first + index));
      if (status !== 202) throw new Error(`a webhook was answered with ${status}`);
      // Measured from its due time, so that queueing counts.
      latencies.push(performance.now() - dueAt);
    }
  };
  await Promise.all(sockets.map(lane));
  const seconds = (performance.now() - started) / 1000;
  const after = await usage(server);
  for (const socket of sockets) socket.destroy();
  return {
    rate: count / seconds,
    latencies: latencies.toSorted((a, b) => a - b),
    cpuMs: (after.cpuMs - before.cpuMs) / count,
    rssMb: after.rssMb,
  };
}

async function usage(server: ChildProcess): Promise<{ cpuMs: number; rssMb: number }> {
  server.send('usage');
  const [answer] = (await once(server, 'message')) as [{ cpuMs: number; rssMb: number }];
  return answer;
}

async function start(what: string, home: string): Promise<{ server: ChildProcess; url: URL }> {
  const server = fork(path.join(import.meta.dirname, 'rig/webhook-server.ts'), [what, home, secret]);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return { server, url: new URL(url) };
}

const at = (sorted: readonly number[], quantile: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))]!;

function row(what: string, { rate, latencies, cpuMs, rssMb }: Load, budget: string): void {
  const times = [0.5, 0.99, 1].map((quantile) => at(latencies, quantile).toFixed(1));
  print(
    `| ${what} | ${rate.toFixed(0)} | ${times.join(' | ')} | ${cpuMs.toFixed(3)} | ${rssMb.toFixed(0)} | ${budget} |`,
  );
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
mkdirSync(path.join(home, 'dags'), { recursive: true });
writeFileSync(path.join(home, 'dags', 'other.yaml'), 'on: {webhook: {event: issues}}\nsteps: ["true"]\n');
// Also keeps the process alive.
const stop = systemClock.after(1e9, () => {});
try {
  print(
    `${count} webhooks of ${body.length} bytes, ${connections} connections, one workflow that is not meant`,
  );
  print('| | a second | p50 ms | p99 ms | longest ms | CPU ms each | MB | budget |');
  print('|---|---:|---:|---:|---:|---:|---:|---|');
  const floor = await start('floor', home);
  await load(floor.server, floor.url, 1e9);
  const bare = await load(floor.server, floor.url, 2e9);
  row('answered without proving or keeping', bare, '');
  floor.server.kill();
  const { server, url } = await start('receive', home);
  await load(server, url, 1e9);
  const free = await load(server, url, 0);
  row('verified, stored and answered', free, `${rateBudget} a second`);
  reportMetric({
    what: 'webhooks of 10 kB received: verified, stored and answered',
    floor: bare.rate,
    figure: free.rate,
    unit: 'per second',
    budget: rateBudget,
    isLeast: true,
  });
  const paced = await load(server, url, 3e9, rateBudget);
  row(`the same at ${rateBudget} a second`, paced, `p99 < ${p99Budget} ms`);
  reportMetric({
    what: `same at ${rateBudget} per second, p99`,
    figure: at(paced.latencies, 0.99),
    unit: 'ms',
    budget: p99Budget,
  });
  print(
    `of the floor: ${(free.rate / bare.rate).toFixed(2)}, CPU above it: ${(free.cpuMs - bare.cpuMs).toFixed(3)} ms each`,
  );
  server.kill();
} finally {
  stop();
  rmSync(home, { recursive: true, force: true });
}
