/**
 * The database gateway over loopback, compared in the same run with one `pg` statement without HTTP, and with
 * a bare HTTP handler that runs the statement in a transaction (`plain-handler.ts`); for the embedded
 * database with its driver instead of `pg`. Client and servers have a process each; rounds of a second
 * alternate, and the median counts. `node test/bench/gateway.ts [rounds]`; needs the test PostgreSQL (`npm
 * test` sets it up).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { GatewayDatabase, Statement } from '../../core/store/sql/database.ts';
import { openDatabase } from '../../core/gateway/database/open-database.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../harness/servers/postgres.ts';
import { schema, gatewayWorkloads, type GatewayWorkload } from './rig/gateway-works.ts';
import { reportMetric } from './rig/figures.ts';
import { load, type Load } from './rig/http-load.ts';
import { databaseLimits } from './rig/plain-handler.ts';
import { serve, type ServerProcess } from './rig/served.ts';
import { silentLogger } from '../harness/fakes.ts';

const rounds = Number(process.argv[2] ?? 5);
const roundMs = 1000;
/** Warm-up for each operation, until a server with many modules reaches its steady state. */
const warmUpMs = 3000;
const bulkRows = 10_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number, digits = 0): string => value.toFixed(digits);

const bulk = JSON.stringify(
  Array.from({ length: bulkRows }, (_, number) => ({ word: `word ${number}`, number })),
);

const bulkStatement: Statement = {
  text: 'INSERT INTO entries (word, number) SELECT word, number FROM json_to_recordset($1) AS r(word text, number int)',
  values: [bulk],
};

/** Runs a statement in its own transaction. */
type Runner = (statement: Statement) => Promise<unknown>;

/** One database, used by three processes. */
interface Stand {
  readonly kind: string;
  readonly gateway: ServerProcess;
  readonly handler: ServerProcess;
  readonly run: Runner;
}

/** As many concurrent requests as the gateway gets. @returns requests per second */
async function measurePlain(
  run: Runner,
  work: GatewayWorkload,
  clients: number,
  ms = roundMs,
): Promise<number> {
  let turn = 0;
  const from = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - from < ms) await run(work.plain((turn += 1)));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (turn * 1000) / (performance.now() - from);
}

/** A load, and its cost for the server process. */
interface SupportedLoad extends Load {
  /** CPU time of a request in microseconds: depends less on other load on the machine. */
  readonly cpuUs: number;
}

async function measureHttp(
  server: ServerProcess,
  work: GatewayWorkload,
  { clients, ms = roundMs }: { readonly clients: number; readonly ms?: number },
): Promise<SupportedLoad> {
  const index = gatewayWorkloads.indexOf(work);
  const toPath = (turn: number): string =>
    server.isPlain ? `/${index}?turn=${turn}` : `/gateway${work.path(turn)}`;
  const requests = Array.from({ length: 10_000 }, (_, turn) => ({
    path: toPath(turn * 7),
    ...(work.body !== undefined && { body: work.body }),
  }));
  const before = await server.usage();
  const borne = await load(server.url, { clients, ms, requests });
  const { cpuMs } = await server.usage();
  return { ...borne, cpuUs: ((cpuMs - before.cpuMs) * 1000) / borne.latencies.length };
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function medianMs(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const from = performance.now();
    await act();
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[3]!;
}

async function measureWork(stand: Stand, work: GatewayWorkload, clients: number): Promise<void> {
  const { kind, gateway, handler, run } = stand;
  const ours: SupportedLoad[] = [];
  const alone: number[] = [];
  const handled: SupportedLoad[] = [];
  // Warm-up.
  for (let turn = 0; turn <= rounds; turn += 1) {
    alone[turn] = await measurePlain(run, work, clients);
    handled[turn] = await measureHttp(handler, work, { clients });
    ours[turn] = await measureHttp(gateway, work, { clients });
  }
  const rateOf = (all: readonly SupportedLoad[]): number =>
    middle(all.slice(1).map(({ perSecond }) => perSecond));
  const cpuOf = (all: readonly SupportedLoad[]): string =>
    round(middle(all.slice(1).map(({ cpuUs }) => cpuUs)));
  const [rate, http, bare] = [rateOf(ours), rateOf(handled), middle(alone.slice(1))];
  if (work.name === 'filtered read' && clients > 1)
    reportMetric({
      what: `gateway, ${kind}: filtered reads, ${clients} concurrent`,
      floor: bare,
      figure: rate,
      unit: 'per second',
      budget: kind === 'embedded' ? 500 : 2000,
      isLeast: true,
    });
  const latencies = ours
    .slice(1)
    .flatMap((one) => one.latencies)
    .sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => round(latencies[Math.floor(latencies.length * part)]!, 2));
  const columns = [kind, work.name, clients, round(rate), round(bare), round(bare / rate, 2)];
  const cells = [...columns, round(http), round(http / rate, 2), `${p50} / ${p99}`];
  print(`| ${[...cells, `${cpuOf(ours)} / ${cpuOf(handled)}`].join(' | ')} |`);
}

/** Runs every operation on all three. @returns operations per second of each */
async function warmUp({ gateway, handler, run }: Stand): Promise<string> {
  const counts = { gateway: 0, handler: 0, alone: 0 };
  const share = { clients: databaseLimits.poolSize, ms: warmUpMs };
  for (const work of gatewayWorkloads) {
    counts.alone += ((await measurePlain(run, work, share.clients, warmUpMs)) * warmUpMs) / 1000;
    counts.handler += (await measureHttp(handler, work, share)).latencies.length;
    counts.gateway += (await measureHttp(gateway, work, share)).latencies.length;
  }
  return `${counts.gateway} requests to the gateway, ${counts.handler} to the handler, ${round(counts.alone)} statements`;
}

async function measure(stand: Stand): Promise<void> {
  const { kind, gateway, run } = stand;
  const warmedBy = await warmUp(stand);
  for (const work of gatewayWorkloads)
    for (const clients of [1, databaseLimits.poolSize]) await measureWork(stand, work, clients);
  const headers = { 'content-type': 'application/json' };
  const ours = await medianMs(async () => {
    const reply = await fetch(`${gateway.url}/gateway/entries`, { method: 'POST', headers, body: bulk });
    if (reply.status !== 201) throw new Error(await reply.text());
  });
  const plain = await medianMs(() => run(bulkStatement));
  const perSecond = (ms: number): string => `${round((bulkRows * 1000) / ms)} rows`;
  const cells = [
    kind,
    '10,000 rows in one insert',
    1,
    perSecond(ours),
    perSecond(plain),
    round(ours / plain, 2),
  ];
  print(`| ${[...cells, '', '', round(ours), ''].join(' | ')} |`);
  print(`\nWarmed up beforehand by ${warmedBy}`);
}

/** From a request to a newly started server until its response. */
async function firstAnswerMs(server: ServerProcess): Promise<number> {
  const from = performance.now();
  await (await fetch(`${server.url}/gateway/`)).arrayBuffer();
  return performance.now() - from;
}

async function fill(settings: { readonly databaseUrl?: string }, home: string): Promise<GatewayDatabase> {
  const database = openDatabase(
    { ...databaseLimits, ...settings },
    { data: home },
    systemClock,
    silentLogger,
  );
  await database.runScript(schema);
  return database;
}

async function measureEmbedded(folder: string): Promise<void> {
  const home = path.join(folder, 'home');
  const beside = path.join(folder, 'beside');
  const handled = path.join(folder, 'handled');
  for (const made of [home, beside, handled]) mkdirSync(made);
  delete process.env['ENGINE_GATEWAY_DATABASE_URL'];
  const fresh = await serve('engine', home);
  const cold = await firstAnswerMs(fresh);
  await fresh.end();
  for (const data of [path.join(home, 'data'), handled]) await (await fill({}, data)).close();
  const server = await serve('engine', home);
  const warm = await firstAnswerMs(server);
  const handler = await serve('plain', handled);
  const plain = await fill({}, beside);
  const run: Runner = (statement) => plain.transact({ isReadOnly: false, statements: [statement] });
  await measure({ kind: 'embedded', gateway: server, handler, run });
  await plain.close();
  for (const one of [server, handler]) await one.end();
  print(
    `\nFirst answer of the embedded database: ${round(cold)} ms in a new home, ${round(warm)} ms in an old one\n`,
  );
}

async function measureServer(folder: string): Promise<void> {
  const version = postgresVersions.findLast((one) => missingForPostgres(one) === undefined);
  if (version === undefined) return print('No PostgreSQL server is on this machine.');
  const postgres = await TestPostgres.start(version);
  const home = path.join(folder, 'served');
  mkdirSync(home);
  await (await fill({ databaseUrl: postgres.url }, home)).close();
  process.env['ENGINE_GATEWAY_DATABASE_URL'] = postgres.url;
  const server = await serve('engine', home);
  const warm = await firstAnswerMs(server);
  const handler = await serve('plain', postgres.url);
  const pool = new pg.Pool({ connectionString: postgres.url, max: databaseLimits.poolSize });
  const run: Runner = ({ text, values }) => pool.query(text, [...values]);
  await measure({ kind: `PostgreSQL ${version}`, gateway: server, handler, run });
  await pool.end();
  for (const one of [server, handler]) await one.end();
  await postgres.close();
  print(`\nFirst answer with PostgreSQL ${version}: ${round(warm)} ms`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
try {
  print(`${rounds} rounds each, load average ${loadavg()[0]!.toFixed(1)}\n`);
  print(
    '| Database | Work | At once | Gateway | Statement alone | Ratio | HTTP handler | Ratio | p50 / p99 ms | CPU, µs |',
  );
  print('|---|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  await measureEmbedded(folder);
  await measureServer(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
