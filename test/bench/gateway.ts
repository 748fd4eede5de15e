/**
 * The database gateway over loopback, beside the same work done by plain queries of `pg` in the same run; for the embedded
 * database beside the same transactions without the gateway and HTTP. Client and server have a process each.
 * `node test/bench/gateway.ts [seconds]`; needs the test's PostgreSQL (`npm test` sets it up).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { silentLogger } from '../../core/base/logger.ts';
import type { GatewayDatabase, Statement } from '../../core/gateway/database/database.ts';
import { openDatabase } from '../../core/gateway/database/open-database.ts';
import { systemClock } from '../../core/system-clock.ts';
import { missingForPostgres, postgresVersions, TestPostgres } from '../rig/postgres.ts';
import { serve, type Served } from './served.ts';

const duration = Number(process.argv[2] ?? 5);
const connections = 10;
const bulkRows = 10_000;
const limits = {
  poolSize: connections,
  poolTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  preparesStatements: true,
};
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number, digits = 0): string => value.toFixed(digits);

const schema = `
CREATE TABLE authors (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE books (id int PRIMARY KEY, title text NOT NULL, author int NOT NULL REFERENCES authors, price numeric);
CREATE TABLE entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text NOT NULL, number int);
INSERT INTO authors SELECT n, 'author ' || n FROM generate_series(1, 1000) n;
INSERT INTO books SELECT n, 'book ' || n, 1 + n % 1000, n / 7.0 FROM generate_series(1, 10000) n;
CREATE INDEX ON books (author);
ANALYZE;
`;

/** Something to be done many times, by the gateway and without it. */
interface Work {
  readonly name: string;
  readonly path: (turn: number) => string;
  readonly body?: string;
  /** What somebody would write who had the database at hand; the answer is made into JSON there, too. */
  readonly plain: (turn: number) => Statement;
}

const entry = JSON.stringify({ word: 'one', number: 1 });
const bulk = JSON.stringify(
  Array.from({ length: bulkRows }, (_, number) => ({ word: `word ${number}`, number })),
);

const works: readonly Work[] = [
  {
    name: 'filtered read',
    path: (turn) => `/books?id=eq.${1 + (turn % 10_000)}`,
    plain: (turn) => ({
      text: `SELECT coalesce(json_agg(b), '[]')::text FROM (SELECT * FROM books WHERE id = $1) b`,
      values: [String(1 + (turn % 10_000))],
    }),
  },
  {
    name: 'embedded read',
    path: (turn) => `/authors?id=eq.${1 + (turn % 1000)}&select=name,books(title,price)`,
    plain: (turn) => ({
      text: `SELECT coalesce(json_agg(a), '[]')::text FROM (
        SELECT name, (SELECT coalesce(json_agg(b), '[]') FROM (
          SELECT title, price FROM books WHERE author = authors.id) b) AS books
        FROM authors WHERE id = $1) a`,
      values: [String(1 + (turn % 1000))],
    }),
  },
  {
    name: 'insert',
    path: () => '/entries',
    body: entry,
    plain: () => ({ text: 'INSERT INTO entries (word, number) VALUES ($1, $2)', values: ['one', '1'] }),
  },
];

const bulkStatement: Statement = {
  text: 'INSERT INTO entries (word, number) SELECT word, number FROM json_to_recordset($1) AS r(word text, number int)',
  values: [bulk],
};

/** Runs a statement in a transaction of its own. */
type Runner = (statement: Statement) => Promise<unknown>;

/** As many at once as the gateway gets. @returns a second */
async function measurePlain(run: Runner, work: Work, clients: number): Promise<number> {
  let turn = 0;
  const until = performance.now() + duration * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < until) await run(work.plain((turn += 1)));
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return (turn * 1000) / (performance.now() - from);
}

async function measureGateway(server: Served, work: Work, clients: number): Promise<autocannon.Result> {
  const headers = { 'content-type': 'application/json' };
  const requests = Array.from({ length: 1000 }, (_, turn) => ({
    path: `/gateway${work.path(turn * 7)}`,
    ...(work.body === undefined ? {} : { method: 'POST' as const, body: work.body, headers }),
  }));
  const settings = { url: server.url, connections: clients, requests };
  await autocannon({ ...settings, duration: 1 });
  const result = await autocannon({ ...settings, duration });
  if (result.non2xx + result.errors > 0) throw new Error(`${work.name}: ${result.non2xx} refused`);
  return result;
}

async function medianMs(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const from = performance.now();
    await act();
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[3]!;
}

async function measure(kind: string, server: Served, run: Runner): Promise<void> {
  for (const work of works) {
    for (const clients of [1, connections]) {
      const plain = await measurePlain(run, work, clients);
      const { requests, latency } = await measureGateway(server, work, clients);
      const ratio = plain / requests.average;
      const cells = [kind, work.name, clients, round(requests.average), round(plain), round(ratio, 2)];
      print(`| ${[...cells, `${latency.p50} / ${latency.p99}`].join(' | ')} |`);
    }
  }
  const headers = { 'content-type': 'application/json' };
  const ours = await medianMs(async () => {
    const reply = await fetch(`${server.url}/gateway/entries`, { method: 'POST', headers, body: bulk });
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
  print(`| ${[...cells, round(ours)].join(' | ')} |`);
}

/** From a request to a server that has just started to its answer. */
async function firstAnswerMs(server: Served): Promise<number> {
  const from = performance.now();
  await (await fetch(`${server.url}/gateway/`)).arrayBuffer();
  return performance.now() - from;
}

async function fill(settings: { readonly databaseUrl?: string }, home: string): Promise<GatewayDatabase> {
  const database = openDatabase({ ...limits, ...settings }, { data: home }, systemClock, silentLogger);
  await database.runScript(schema);
  return database;
}

async function measureEmbedded(folder: string): Promise<void> {
  const home = path.join(folder, 'home');
  const beside = path.join(folder, 'beside');
  for (const made of [home, beside]) mkdirSync(made);
  delete process.env['ENGINE_GATEWAY_DATABASE_URL'];
  const fresh = await serve('engine', home);
  const cold = await firstAnswerMs(fresh);
  await fresh.end();
  const filled = await fill({}, path.join(home, 'data'));
  await filled.close();
  const server = await serve('engine', home);
  const warm = await firstAnswerMs(server);
  const plain = await fill({}, beside);
  await measure('embedded', server, (statement) =>
    plain.transact({ isReadOnly: false, statements: [statement] }),
  );
  await plain.close();
  await server.end();
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
  const pool = new pg.Pool({ connectionString: postgres.url, max: connections });
  await measure(`PostgreSQL ${version}`, server, ({ text, values }) => pool.query(text, [...values]));
  await pool.end();
  await server.end();
  await postgres.close();
  print(`\nFirst answer with PostgreSQL ${version}: ${round(warm)} ms`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
try {
  print(`${duration} s each, load average ${loadavg()[0]!.toFixed(1)}\n`);
  print('| Database | Work | At once | Gateway, a second | Without it, a second | Ratio | p50 / p99 ms |');
  print('|---|---|---:|---:|---:|---:|---:|');
  await measureEmbedded(folder);
  await measureServer(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
