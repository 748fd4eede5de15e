/**
 * The quotes service over loopback, in requests per second, compared with a bare Node server that responds
 * with the same number of bytes. Client and servers have a process each; the rate limit is active and out of
 * reach. `node test/bench/quotes.ts [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { serve, type ServerProcess } from './rig/served.ts';

const duration = Number(process.argv[2] ?? 5);
const connections = 10;
/** Minimum requests per second of each kind of request. */
const goal = 5000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly refused: number;
}

/** @param paths requested in turn, by each connection */
async function load(server: ServerProcess, paths: readonly string[]): Promise<Figures> {
  const settings = { url: server.url, connections, requests: paths.map((each) => ({ path: each })) };
  await autocannon({ ...settings, duration: 1 });
  const before = await server.usage();
  const { requests, latency, non2xx, errors } = await autocannon({ ...settings, duration });
  const { cpuMs, rssMb } = await server.usage();
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    cpuMs: (cpuMs - before.cpuMs) / requests.total,
    rssMb,
    refused: non2xx + errors,
  };
}

/** Each path once, as fast as responses arrive. */
async function askOnce(
  server: ServerProcess,
  paths: readonly string[],
): Promise<Pick<Figures, 'perSecond' | 'cpuMs'>> {
  const before = await server.usage();
  const from = performance.now();
  const waiting = [...paths];
  const ask = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      await (await fetch(server.url + next)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: connections }, ask));
  const perSecond = (paths.length * 1000) / (performance.now() - from);
  const { cpuMs } = await server.usage();
  return { perSecond, cpuMs: (cpuMs - before.cpuMs) / paths.length };
}

const round = (value: number, digits = 0): string => value.toFixed(digits);

async function measure(label: string, server: ServerProcess, paths: readonly string[]): Promise<void> {
  const reply = await fetch(server.url + paths[0]!);
  if (!reply.ok) throw new Error(`${paths[0]}: ${reply.status}`);
  const size = (await reply.arrayBuffer()).byteLength;
  const bare = await serve('bare', String(size));
  const engine = await load(server, paths);
  const floor = await load(bare, ['/']);
  await bare.end();
  const cells = [
    label,
    size,
    round(engine.perSecond),
    round(floor.perSecond),
    `${engine.p50} / ${engine.p99}`,
    round(engine.cpuMs, 3),
    round(floor.cpuMs, 3),
    round(engine.rssMb),
    engine.perSecond >= goal && engine.refused === 0 ? 'yes' : `no, ${engine.refused} refused`,
  ];
  print(`| ${cells.join(' | ')} |`);
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
try {
  const server = await serve('engine', home);
  print(`${connections} connections, ${duration} s each, load average ${loadavg()[0]!.toFixed(1)}\n`);
  print(
    '| Request | Bytes | Engine, req/s | Floor, req/s | p50 / p99 ms | Engine, CPU ms a request | Floor, CPU ms | MB resident | at least 5,000 |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|---|');
  const root = '/api/v1/quotes';
  // Lazily compiled code is compiled by then.
  await autocannon({ url: `${server.url}${root}/random`, connections, duration: 3 });
  await measure('random', server, [`${root}/random`]);
  await measure('personalized, one name', server, [`${root}/personalized?q=Ada`]);
  const names = Array.from({ length: 1000 }, (_, index) => `${root}/personalized?q=Ada%20Number%20${index}`);
  const cold = await askOnce(server, names);
  await measure('personalized, 1,000 names', server, names);
  await measure('a certain one', server, [`${root}/g-012`]);
  await measure('all', server, [`${root}/`]);
  print(
    `\n1,000 names for the first time: ${round(cold.perSecond)} requests/s, ${round(cold.cpuMs, 2)} ms processor time each`,
  );
  await server.end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
