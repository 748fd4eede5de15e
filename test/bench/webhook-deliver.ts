/**
 * Outgoing webhooks: how many deliveries per second reach a local receiver from 1,000 webhooks, each stored
 * with its request and response, and how memory grows over time; compared with plain requests of the same
 * size and disk commits. Printed last: memory growth in the second half, when bounded caches are full, and
 * the heap after garbage collection. `node test/bench/webhook-deliver.ts [deliveries]`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { SqliteDatabase } from '../../core/store/database/sqlite-database.ts';
import { silentLogger } from '../harness/fakes.ts';

const hooks = 1000;
const deliveries = Number(process.argv[2] ?? 400_000);
const budget = 500;
const bodyBytes = 10_000;
const caller = { via: 'cli', name: 'bench' } as const;
const filler = 'x'.repeat(bodyBytes);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Responds 204 to everything, in its own process. */
async function receive(): Promise<void> {
  const server = createServer((message, response) => {
    message.resume().on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send!((server.address() as AddressInfo).port);
}

async function startReceiver(): Promise<{ port: number; receiver: ChildProcess }> {
  const receiver = fork(import.meta.filename, ['receive']);
  const [port] = (await once(receiver, 'message')) as [number];
  return { port, receiver };
}

/** Requests of the same size, 64 at a time, without storing them. */
async function measureBaseline(port: number, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = Buffer.from(JSON.stringify({ filler }));
  const post = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/', agent }, (response) => {
        response.resume().on('end', resolve);
      });
      sending.on('error', reject);
      sending.end(body);
    });
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await post();
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 64 }, lane));
  agent.destroy();
  return (1000 * count) / (performance.now() - started);
}

function measureDisk(folder: string): number {
  const database = new SqliteDatabase(path.join(folder, 'floor.db'));
  database.configure();
  database.execute('CREATE TABLE floor (value INTEGER)');
  const started = performance.now();
  for (let index = 0; index < 500; index += 1)
    database.write(() => database.run('INSERT INTO floor VALUES (?)', index));
  const rate = (1000 * 500) / (performance.now() - started);
  database.close();
  return rate;
}

async function makeWebhooks(engine: Engine, port: number): Promise<void> {
  for (let index = 0; index < hooks; index += 1)
    await engine.api.call(
      'webhooks.create',
      {
        url: `http://127.0.0.1:${port}/${index}`,
        secret: `secret ${index}`,
        events: ['star'],
        options: { allowPrivate: true },
      },
      caller,
    );
}

/** Each part has its own index; checking every message would slow down as their number grows. */
const openSql = [
  "SELECT 1 FROM webhook_message WHERE state = 'waiting'",
  "SELECT 1 FROM webhook_message WHERE state = 'sending'",
  'SELECT 1 FROM webhook_event WHERE is_new = 1',
];

const hasOpen = (database: SqliteDatabase): boolean =>
  openSql.some((sql) => database.get(`${sql} LIMIT 1`) !== undefined);

async function untilSent(database: SqliteDatabase): Promise<void> {
  while (hasOpen(database)) await pause(20);
}

/** Bytes in use after garbage collection. */
function measureLiveHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

async function measure(engine: Engine, database: SqliteDatabase): Promise<void> {
  const rounds = Math.max(1, Math.round(deliveries / hooks));
  const payload = { action: 'created', starred_at: null, filler };
  print(
    '| deliveries | a second | processor, µs each | memory | heap | buffers |\n|---:|---:|---:|---:|---:|---:|',
  );
  let started = performance.now();
  let used = process.cpuUsage();
  const step = Math.max(1, Math.round(rounds / 10));
  const resident: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await engine.api.call('webhooks.emit', { event: 'star', payload }, caller);
    // A few events ahead, as in a busy home.
    if (round % Math.min(5, step) === 0 || round === rounds) await untilSent(database);
    if (round % step !== 0) continue;
    const rate = (1000 * step * hooks) / (performance.now() - started);
    const { user, system } = process.cpuUsage(used);
    const each = (user + system) / (step * hooks);
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    resident.push(rss);
    print(
      `| ${round * hooks} | ${rate.toFixed(0)} | ${each.toFixed(0)} | ${megabytes(rss)} | ${megabytes(heapUsed)} | ${megabytes(arrayBuffers)} |`,
    );
    started = performance.now();
    used = process.cpuUsage();
  }
  const { delivered } = database.get<{ delivered: number }>(
    'SELECT count(*) AS delivered FROM webhook_delivery WHERE delivered = 1',
  )!;
  print(`delivered, pings included: ${delivered} (budget: ${budget} a second)`);
  const [half, end] = [resident.at(Math.floor(resident.length / 2) - 1)!, resident.at(-1)!];
  print(`memory, second half: ${((100 * (end - half)) / half).toFixed(1)} % more`);
  print(`heap without garbage, at the end: ${megabytes(measureLiveHeap())}`);
}

async function main(): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
  const { port, receiver } = await startReceiver();
  const engine = await openEngine({
    home,
    clock: systemClock,
    logger: silentLogger,
    version: 'bench',
    kind: 'server',
  });
  try {
    print(`${hooks} webhooks, ${deliveries} deliveries of ${bodyBytes} bytes, signed`);
    print(`commits of the disk, a second: ${measureDisk(home).toFixed(0)}`);
    print(`plain requests of that size, a second: ${(await measureBaseline(port, 20_000)).toFixed(0)}`);
    const database = new SqliteDatabase(path.join(home, 'data', 'engine.db'));
    await makeWebhooks(engine, port);
    await engine.sendWebhooks();
    await untilSent(database);
    await measure(engine, database);
    database.close();
  } finally {
    await engine.close('stop');
    receiver.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'receive') await receive();
else {
  await main();
  process.exit(0);
}
