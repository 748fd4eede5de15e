/**
 * The HTTP API over loopback: lists, a run of 500 steps, starts, and streams for 200 readers, each compared
 * with a bare Node server that responds with the same number of bytes. Client and servers have a process
 * each. `node test/bench/http-api.ts [runs] [seconds]`
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { openStore } from '../../core/store/open-store.ts';
import { fillRuns } from './rig/fill-runs.ts';
import { serve, type ServerProcess } from './rig/served.ts';
import { writeLongRun } from './rig/write-long-run.ts';

const runCount = Number(process.argv[2] ?? 1_000_000);
const duration = Number(process.argv[3] ?? 5);
const readers = 200;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Load {
  readonly label: string;
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  /** Requests per second. Default: unlimited. */
  readonly rate?: number;
}

/** Sends one kind of request for a while and returns the size of a response. */
async function measure(
  server: ServerProcess,
  { label, path: address, method = 'GET', rate }: Load,
): Promise<void> {
  const url = server.url + address;
  const reply = await fetch(url, { method });
  const size = (await reply.arrayBuffer()).byteLength;
  if (!reply.ok) throw new Error(`${method} ${address}: ${reply.status}`);
  const rows: string[] = [];
  const bare = rate === undefined ? await serve('bare', String(size)) : undefined;
  for (const [who, target] of [
    ['engine', server],
    ['bare', bare],
  ] as const) {
    if (target === undefined) continue;
    const settings = { url: target === server ? url : target.url, method, connections: 10 };
    if (rate === undefined) await autocannon({ ...settings, duration: 1 });
    const before = await target.usage();
    const result = await autocannon({
      ...settings,
      duration,
      ...(rate === undefined ? {} : { overallRate: rate }),
    });
    const { cpuMs, rssMb } = await target.usage();
    const { average, total } = result.requests;
    const { p50, p99 } = result.latency;
    rows.push(
      `| ${label} | ${who} | ${Math.round(size / 1024)} | ${Math.round(average)} | ${p50} | ${p99} | ` +
        `${((cpuMs - before.cpuMs) / total).toFixed(2)} | ${Math.round(rssMb)} | ${result.non2xx + result.errors} |`,
    );
  }
  await bare?.end();
  rows.forEach(print);
}

/** Reads one stream and records the delay of each event. */
async function readStream(url: string, delays: number[], signal: AbortSignal): Promise<void> {
  const reply = await fetch(url, { signal });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of reply.body!) {
    rest += decoder.decode(chunk, { stream: true });
    const now = Date.now();
    const blocks = rest.split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const at = /"at":"([^"]+)"/.exec(block)?.[1];
      if (at !== undefined) delays.push(now - Date.parse(at));
    }
  }
}

async function measureStreams(server: ServerProcess): Promise<void> {
  const delays: number[] = [];
  const end = new AbortController();
  const before = await server.usage();
  const reading = Array.from({ length: readers }, () =>
    readStream(`${server.url}/api/v2/events`, delays, end.signal).catch(() => {}),
  );
  await autocannon({
    url: `${server.url}/api/v2/dags/tiny/start`,
    method: 'POST',
    connections: 2,
    overallRate: 20,
    duration,
  });
  const { cpuMs, rssMb } = await server.usage();
  end.abort();
  await Promise.all(reading);
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  print(
    `\n${readers} readers of all events, 20 starts/s: ${Math.round(delays.length / duration)} events/s delivered, ` +
      `delay p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${((cpuMs - before.cpuMs) / delays.length).toFixed(3)} ms processor ` +
      `time each with all there is to do for the runs, ${Math.round(rssMb)} MB`,
  );
}

async function fillHome(home: string): Promise<void> {
  const dags = path.join(home, 'dags');
  mkdirSync(path.join(home, 'data'), { recursive: true });
  mkdirSync(dags);
  for (let index = 0; index < 1000; index += 1) {
    const text = `description: Number ${index}\ntags: [bench]\nsteps:\n  - name: one\n    command: "true"\n`;
    writeFileSync(path.join(dags, `workflow-${index}.yaml`), text);
  }
  writeFileSync(path.join(dags, 'tiny.yaml'), 'maxActiveRuns: -1\nsteps: [{name: one, command: "true"}]\n');
  const file = path.join(home, 'data', 'engine.db');
  const store = openStore({ file });
  store.close();
  fillRuns(file, runCount, 1000);
  const again = openStore({ file });
  await writeLongRun(again, 500, { dagRunId: 'ended', hasEnded: true });
  await writeLongRun(again, 500, { dagRunId: 'active', hasEnded: false });
  again.close();
}

const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
try {
  await fillHome(home);
  const server = await serve('engine', home);
  print(`${runCount} runs, 10 connections, ${duration} s each, load average ${loadavg()[0]!.toFixed(1)}\n`);
  print('| Request | Server | KiB | req/s | p50 ms | p99 ms | CPU ms/request | RSS MB | refused |');
  print('|---|---|---:|---:|---:|---:|---:|---:|---:|');
  const loads: Load[] = [
    { label: 'health', path: '/api/v2/health' },
    { label: 'run detail, 500 steps, ended', path: '/api/v2/dag-runs/long/ended' },
    { label: 'run detail, 500 steps, active', path: '/api/v2/dag-runs/long/active' },
    { label: '1,000 workflows, page of 50', path: '/api/v2/dags' },
    { label: '1,000 workflows, page of 1,000', path: '/api/v2/dags?limit=1000' },
    { label: 'runs, page of 100', path: '/api/v2/dag-runs?limit=100' },
    { label: 'start, 100/s', path: '/api/v2/dags/tiny/start', method: 'POST', rate: 100 },
  ];
  for (const load of loads) await measure(server, load);
  await measureStreams(server);
  await server.end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
