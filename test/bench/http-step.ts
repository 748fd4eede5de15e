/**
 * Overhead of the engine for an HTTP request: steps of type `http` in a chain, compared with the same
 * requests made directly with Node's `http.request`, each on its own connection, in the same run; and the
 * memory needed to save a large body. `node test/bench/http-step.ts [steps] [megabytes]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 500);
const megabytes = Number(process.argv[3] ?? 1000);
const budgetMs = 3;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The server has its own thread, so that it does not share the engine's. */
function serve(): void {
  const block = Buffer.alloc(1024 * 1024, 'x');
  const server = createServer(({ url }, response) => {
    if (url !== '/large') return void response.end('ok');
    let left = megabytes;
    const more = (): void => {
      while (left-- > 0) if (!response.write(block)) return void response.once('drain', more);
      response.end();
    };
    more();
  });
  server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));
}

const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false }, (response) => response.resume().once('end', resolve));
    outgoing.once('error', reject).end();
  });

async function measureBare(url: string): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await ask(url);
  return (performance.now() - started) / count;
}

async function measureRun(engine: Engine, spec: string, steps: number): Promise<number> {
  const started = performance.now();
  const end = await engine.waitForEnd(await engine.startRun({ source: { spec }, trigger: 'api' }));
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return (performance.now() - started) / steps;
}

async function measureAll(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
  const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });
  const chain = `steps:\n${`  - { type: http, command: "GET ${url}/" }\n`.repeat(count)}`;
  print(`${count} steps; budget ${budgetMs} ms a step above a bare request`);
  print('| round | bare ms/request | engine ms/step | overhead ms |');
  print('|---|---:|---:|---:|');
  for (const round of [1, 2, 3]) {
    const bare = await measureBare(`${url}/`);
    const step = await measureRun(engine, chain, count);
    print(`| ${round} | ${[bare, step, step - bare].map((value) => value.toFixed(2)).join(' | ')} |`);
  }
  const file = path.join(home, 'large');
  const before = process.memoryUsage().rss;
  let max = before;
  const watching = setInterval(() => (max = Math.max(max, process.memoryUsage().rss)), 5);
  const save = `steps:\n  - { type: http, command: "GET ${url}/large", config: { saveTo: "${file}" } }\n`;
  const elapsed = await measureRun(engine, save, 1);
  clearInterval(watching);
  const saved = statSync(file).size / 1024 / 1024;
  const grown = (max - before) / 1024 / 1024;
  print(
    `saved ${saved} MiB in ${(elapsed / 1000).toFixed(1)} s; memory grew by ${grown.toFixed(0)} MiB at most`,
  );
  await engine.close('stop');
  rmSync(home, { recursive: true, force: true });
}

if (isMainThread) {
  const server = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
  server.once('message', (port: number) => {
    void measureAll(port).finally(() => void server.terminate());
  });
} else serve();
