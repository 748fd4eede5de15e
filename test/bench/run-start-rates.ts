/**
 * One-step runs started by the API, on a file and on PostgreSQL behind a network of 0, 1 and 5 ms: runs a
 * second with 1 and 8 clients, and with 8 for each of two hosts, round trips to the server for each kind of work,
 * `GET /health` and the delay of the event loop meanwhile. `node test/bench/run-start-rates.ts [runs] [network ms, ...]`
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '../../core/store/open-store.ts';
import { missingForPostgres, postgresVersions, TestPostgres } from '../harness/servers/postgres.ts';
import { startDelayProxy, type DelayProxy } from './rig/delay-proxy.ts';
import { canLimit, limitProcessor } from './rig/limit-processor.ts';
import { serve, serveLimited, type ServerProcess } from './rig/served.ts';

const runs = Number(process.argv[2] ?? 100);
const delays = (process.argv[3] ?? '0,1,5').split(',').map(Number);
const furtherSteps = 10;
const idleMs = 10_000;
/** So that two hosts, their steps, the server, the proxy and the clients fit on two processors. */
const hostShare = 0.35;
const warmUpRuns = 200;
const healthEveryMs = 20;
const agent = new Agent({ keepAlive: true });
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);

/** Deleted at the end: ext4 searches for a free inode among all that were deleted in the last minutes. */
const homes = mkdtempSync(join(tmpdir(), 'bench-'));

/** An engine, the store of its home without the network, and the network. */
interface Host {
  readonly engine: ServerProcess;
  readonly store: Store;
  readonly proxy?: DelayProxy;
}

/** Sends a request. Costs less than `fetch`: client and server share the processors. */
async function send(method: string, url: string): Promise<void> {
  const [reply] = (await once(request(url, { agent, method }).end(), 'response')) as [IncomingMessage];
  const body = (await reply.toArray()) as Buffer[];
  if (reply.statusCode! >= 300)
    throw new Error(`${url}: ${reply.statusCode} ${Buffer.concat(body).toString()}`);
}

const start = ({ engine }: Host, name: string): Promise<void> =>
  send('POST', `${engine.url}/api/v2/dags/${name}/start`);

async function untilEnded({ store }: Host): Promise<void> {
  while (Object.values(await store.countActiveRuns()).some((count) => count > 0)) await pause(5);
}

/** Asks for the health again and again until the work has ended. */
async function watchHealth({ engine }: Host, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const over = new AbortController();
  void work.finally(() => over.abort());
  while (!over.signal.aborted) {
    const from = performance.now();
    await send('GET', `${engine.url}/api/v2/health`);
    times.push(performance.now() - from);
    await pause(healthEveryMs);
  }
  return times.sort((left, right) => left - right);
}

/**
 * Starts runs, one after the other for each client of each host, until all have ended.
 * @param hosts of one database; health and event loop are those of the first
 * @returns runs a second
 */
async function measureRuns(hosts: readonly Host[], clients: number): Promise<number> {
  const host = hosts[0]!;
  const { cpuMs: cpuMsBefore } = await host.engine.usage();
  const from = performance.now();
  const total = runs * hosts.length;
  let left = total;
  const client = async (_: unknown, index: number): Promise<void> => {
    while ((left -= 1) >= 0) await start(hosts[index % hosts.length]!, 'tiny');
  };
  const work = Promise.all(Array.from({ length: clients * hosts.length }, client)).then(() =>
    untilEnded(host),
  );
  const health = await watchHealth(host, work);
  const rate = (total * 1000) / (performance.now() - from);
  const { loopMs, cpuMs } = await host.engine.usage();
  const perRun = ((cpuMs - cpuMsBefore) / runs).toFixed(1);
  print(
    `  ${hosts.length > 1 ? `${hosts.length} hosts, each ` : ''}${clients} client${clients === 1 ? ' ' : 's'}  ${rate.toFixed(0).padStart(5)} runs/s   ` +
      `health p50 ${at(health, 0.5)} p99 ${at(health, 0.99)} ms   event loop p99 ${loopMs.toFixed(1)} ms   processor ${perRun} ms a run`,
  );
  return rate;
}

/** Compares two hosts with one, each with a part of a processor, because all share the processors of this machine. */
async function measureTwoHosts(one: Omit<Host, 'engine'>, home: string): Promise<void> {
  if (!canLimit)
    return print('  two hosts with a part of a processor each: requires root and cgroups of version 1');
  const ends: (() => Promise<void>)[] = [];
  const open = async (): Promise<Host> => {
    const limit = (pid: number): void => void ends.push(limitProcessor(pid, hostShare));
    const host = { ...one, engine: await serveLimited(limit, 'engine', home) };
    // Until the code is compiled.
    for (let count = 0; count < warmUpRuns; count += 1) await start(host, 'tiny');
    await untilEnded(host);
    return host;
  };
  print(`  with ${hostShare} of a processor for each host:`);
  const first = await open();
  const alone = await measureRuns([first], 8);
  const second = await open();
  const together = await measureRuns([first, second], 8);
  print(`  two hosts: ${(together / alone).toFixed(2)} times one`);
  for (const { engine } of [first, second]) await engine.end();
  for (const end of ends) await end();
}

async function countRoundTrips(host: Host, proxy: DelayProxy): Promise<void> {
  const count = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await proxy.roundTrips();
    await work();
    return (await proxy.roundTrips()) - before;
  };
  const whole = async (name: string): Promise<void> => {
    await start(host, name);
    await untilEnded(host);
  };
  const rounds = 10;
  const totals = { accepted: 0, one: 0, more: 0 };
  for (let round = 0; round < rounds; round += 1) {
    totals.accepted += await count(() => start(host, 'tiny'));
    await untilEnded(host);
    await pause(200);
    totals.one += await count(() => whole('tiny'));
    await pause(200);
    totals.more += await count(() => whole('chain'));
    await pause(200);
  }
  // The metrics of these runs are read a little later.
  await pause(idleMs);
  const idle = await count(() => pause(idleMs));
  const perRun = totals.one / rounds;
  const perStep = (totals.more / rounds - perRun) / furtherSteps;
  print(
    `  round trips: start accepted ${(totals.accepted / rounds).toFixed(1)}, one-step run ${perRun.toFixed(1)}, ` +
      `further step ${perStep.toFixed(1)}, idle host ${((idle * 1000) / idleMs).toFixed(1)} a second`,
  );
}

function fillHome(home: string, databaseUrl?: string): void {
  mkdirSync(join(home, 'dags'), { recursive: true });
  mkdirSync(join(home, 'data'), { recursive: true });
  const step = '{command: "true"}';
  writeFileSync(join(home, 'dags', 'tiny.yaml'), `maxActiveRuns: -1\nsteps: [${step}]\n`);
  const chain = Array.from({ length: furtherSteps + 1 }, () => step).join(', ');
  writeFileSync(join(home, 'dags', 'chain.yaml'), `maxActiveRuns: -1\nsteps: [${chain}]\n`);
  if (databaseUrl !== undefined)
    writeFileSync(join(home, 'config.yaml'), `database: {url: "${databaseUrl}"}\n`);
}

async function measure(label: string, location: { server?: TestPostgres; delayMs: number }): Promise<void> {
  const { server, delayMs } = location;
  const home = mkdtempSync(join(homes, 'home-'));
  const proxy = server && (await startDelayProxy(server.port, delayMs));
  const urlOf = (port: number): string =>
    `postgres://postgres@127.0.0.1:${port}/postgres?schema=delay_${delayMs}`;
  fillHome(home, proxy && urlOf(proxy.port));
  const store = openStore(server ? { url: urlOf(server.port) } : { file: join(home, 'data', 'engine.db') });
  const engine = await serve('engine', home);
  const host: Host = { engine, store, ...(proxy && { proxy }) };
  print(label);
  await start(host, 'tiny');
  await untilEnded(host);
  // First: later, metrics of many runs are still read.
  if (proxy) await countRoundTrips(host, proxy);
  await measureRuns([host], 1);
  await measureRuns([host], 8);
  if (proxy) {
    const second = { ...host, engine: await serve('engine', home) };
    await start(second, 'tiny');
    await untilEnded(second);
    await measureRuns([host, second], 8);
    await second.engine.end();
  }
  await engine.end();
  if (proxy) await measureTwoHosts({ store, proxy }, home);
  store.close();
  await proxy?.end();
}

print(`${runs} runs, load average ${loadavg()[0]!.toFixed(1)}`);
await measure('file', { delayMs: 0 });
const version = postgresVersions.find((each) => missingForPostgres(each) === undefined);
if (version === undefined) print(`PostgreSQL: missing ${missingForPostgres(15)}`);
else {
  const server = await TestPostgres.start(version, ['fsync=on']);
  try {
    for (const delayMs of delays)
      await measure(`PostgreSQL ${version}, network ${delayMs} ms`, { server, delayMs });
  } finally {
    await server.close();
  }
}
rmSync(homes, { recursive: true, force: true });
