import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { statusesOf, TestEngine } from '../../harness/engine.ts';
import { serveWithAuth, EventReader, type ServedApi, serve } from '../../harness/server.ts';

/** One line of the text format: a series and its value. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const types = new Set(['counter', 'gauge', 'histogram', 'summary']);

/** Units that are not base units, as `promtool check metrics` detects them. */
const otherUnits =
  /_(?:milliseconds?|microseconds?|minutes?|hours?|days?|kilobytes|megabytes|gigabytes|percent)(?:_|$)/;

/** Throws where `promtool check metrics` would complain about the name of a metric of this type. */
function checkName(name: string, type: string): void {
  if (name.endsWith('_total') !== (type === 'counter')) throw new Error(`suffix of the ${type} ${name}`);
  if (/_(?:count|sum|bucket)$/.test(name) && type !== 'histogram') throw new Error(`suffix of ${name}`);
  if (/[A-Z:]/.test(name)) throw new Error(`letters of ${name}`);
  if (otherUnits.test(name)) throw new Error(`unit of ${name}`);
}

/**
 * Parses the text format of Prometheus (version 0.0.4), and throws on everything it does not allow: a sample without a
 * preceding type, a split family, a duplicate series, an invalid label or value, a name that `promtool check metrics`
 * complains about.
 */
function parseMetrics(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const families = new Map<string, string>();
  let family = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP' && rest === '') throw new Error(`${name} has no help text`);
    if (word === 'TYPE') {
      checkName(name, rest);
      if (families.has(name) || !types.has(rest)) throw new Error(`type of ${name}: ${rest}`);
      families.set(name, rest);
      family = name;
    }
    if (line.startsWith('#')) continue;
    const sample = parseSample(line);
    const ends = families.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    if (!ends.some((end) => sample.name === family + end)) throw new Error(`${line} is not below its type`);
    const series = sample.name + JSON.stringify(sample.labels);
    if (seen.has(series)) throw new Error(`${series} comes twice`);
    seen.add(series);
    samples.push(sample);
  }
  return samples;
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = sampleLine.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
  const number = { '+Inf': Infinity, '-Inf': -Infinity, NaN: Number.NaN }[value] ?? Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`no value: ${line}`);
  const pairs: Record<string, string> = {};
  labelPair.lastIndex = 0;
  while (labelPair.lastIndex < labels.length) {
    const [, label, text] = labelPair.exec(labels) ?? [];
    if (label === undefined || text === undefined || label in pairs) throw new Error(`labels: ${line}`);
    pairs[label] = text;
  }
  return { name, labels: pairs, value: number };
}

interface Scraped {
  readonly samples: readonly Sample[];
  /** Value of the one series with these labels; undefined when there is none. */
  of(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

async function scrape({ fetch: get }: Pick<ServedApi, 'fetch'>): Promise<Scraped> {
  const reply = await get('/api/v2/metrics');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const samples = parseMetrics(await reply.text());
  return {
    samples,
    of: (name, labels = {}) =>
      samples.find(
        (sample) =>
          sample.name === `stepwright_${name}` &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value,
  };
}

/** A real engine behind a real server with metrics. */
async function open(config = ''): Promise<{ engine: TestEngine; served: ServedApi }> {
  const home = makeTemporaryFolder();
  writeFileSync(join(home, 'config.yaml'), config);
  const engine = new TestEngine({ home });
  const served = await serve({
    api: engine.host.api,
    clock: engine.clock,
    metrics: await engine.host.metrics(),
  });
  onTestFinished(() => served[Symbol.asyncDispose]());
  return { engine, served };
}

describe('metrics', () => {
  test('report the release, the uptime and the process', async () => {
    const { engine, served } = await open();
    engine.clock.advance(90_000);
    const { of, samples } = await scrape(served);
    expect(of('info', { version: 'test' })).toBe(1);
    expect(of('uptime_seconds')).toBe(90);
    expect(of('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(samples.filter(({ name }) => !name.startsWith('stepwright_'))).toEqual([]);
    expect(of('nodejs_active_handles', { type: 'Socket' })).toBeGreaterThan(0);
  });

  test('count runs and steps by status and type', async () => {
    const { engine, served } = await open();
    await engine.run(
      'steps: [{name: one, command: "true"}, {name: two, command: "exit 3", retryPolicy: {limit: 1, intervalSec: 0}}]',
    );
    const view = await engine.run(
      'steps: [{name: one, script: "echo a"}]\nhandlerOn: {exit: {command: "true"}}',
    );
    expect(statusesOf(view)).toEqual({ one: 'succeeded', onExit: 'succeeded' });
    const { of } = await scrape(served);
    expect(of('runs_created_total', { trigger: 'api' })).toBe(2);
    expect(of('runs_finished_total', { status: 'failed' })).toBe(1);
    expect(of('runs_finished_total', { status: 'succeeded' })).toBe(1);
    expect(of('run_duration_seconds_count', { status: 'succeeded' })).toBe(1);
    expect(of('steps_finished_total', { status: 'succeeded', type: 'command' })).toBe(2);
    expect(of('steps_finished_total', { status: 'failed', type: 'command' })).toBe(1);
    expect(of('steps_finished_total', { status: 'succeeded', type: 'script' })).toBe(1);
    expect(of('step_retries_total', { type: 'command' })).toBe(1);
    expect(of('step_attempt_duration_seconds_count', { type: 'command' })).toBe(4);
    expect(of('runs_active', { status: 'running' })).toBe(0);
    // A second scrape counts nothing twice.
    expect((await scrape(served)).of('runs_finished_total', { status: 'failed' })).toBe(1);
  });

  test('report active and queued work, with a bounded number of queues', async () => {
    const { engine, served } = await open('queues: {config: [{name: mine, maxConcurrency: 1}]}\n');
    const source = { spec: 'steps: [{name: one, command: "true"}]' };
    for (let index = 0; index < 60; index += 1)
      await engine.host.enqueueRun({ source, trigger: 'api', queue: `queue-${index}` });
    await engine.host.enqueueRun({ source, trigger: 'api', queue: 'mine' });
    const { of, samples } = await scrape(served);
    expect(of('runs_active', { status: 'queued' })).toBe(61);
    expect(of('queue_waiting_runs', { queue: 'mine' })).toBe(1);
    expect(of('queue_waiting_runs', { queue: 'other' })).toBe(11);
    expect(samples.filter(({ name }) => name === 'stepwright_queue_waiting_runs')).toHaveLength(51);
  });

  test('report schedules, and what they skip', async () => {
    const { engine, served } = await open();
    const file = join(engine.home, 'dags', 'often.yaml');
    writeFileSync(
      file,
      'schedule: "* * * * *"\nsteps: [{name: one, command: "while [ ! -e go ]; do sleep 0.02; done"}]\n',
    );
    expect((await scrape(served)).of('scheduler_active')).toBe(0);
    await engine.host.startScheduling();
    await until(() => {
      engine.clock.advance(1000);
      return engine.host.activeExecutions().length === 1;
    });
    engine.clock.advance(61_000);
    let scraped = await scrape(served);
    await until(() => true);
    while (scraped.of('scheduler_slots_total', { kind: 'start', outcome: 'skipped' }) === undefined) {
      engine.clock.advance(1000);
      scraped = await scrape(served);
    }
    expect(scraped.of('scheduler_active')).toBe(1);
    expect(scraped.of('scheduler_slots_total', { kind: 'start', outcome: 'started' })).toBe(1);
    expect(scraped.of('scheduler_start_delay_seconds_count')).toBe(1);
    const tick = scraped.of('scheduler_last_tick_timestamp_seconds')!;
    expect(engine.clock.now() / 1000 - tick).toBeLessThan(20);
    for (const run of engine.host.activeExecutions()) engine.host.forceStop(run);
  });

  test('count requests by operation and never by path', async () => {
    const { served } = await open();
    const paths = [
      '/api/v2/dags',
      '/api/v2/dags',
      '/api/v2/dags/no-such',
      '/api/v2/wp-login.php',
      '/robots.txt',
    ];
    for (const path of paths) await (await served.fetch(path)).text();
    await (await served.post('/api/v2/dags/x/start', 'no object')).text();
    const { of, samples } = await scrape(served);
    expect(of('http_requests_total', { operation: 'dags.list', status: '2xx' })).toBe(2);
    expect(of('http_requests_total', { operation: 'dags.get', status: '4xx' })).toBe(1);
    expect(of('http_requests_total', { operation: 'dags.start', status: '4xx' })).toBe(1);
    expect(of('http_requests_total', { operation: 'unknown', status: '4xx' })).toBe(1);
    expect(of('http_requests_total', { operation: 'web', status: '4xx' })).toBe(1);
    expect(of('http_request_duration_seconds_count', { operation: 'dags.list' })).toBe(2);
    expect(JSON.stringify(samples)).not.toMatch(/wp-login|no-such|robots/);
  });

  test('count open streams', async () => {
    const { served } = await open();
    const reader = new EventReader(await served.fetch('/api/v2/events'));
    await reader.next();
    expect((await scrape(served)).of('http_streams', { stream: 'events.follow' })).toBe(1);
    await reader.cancel();
    while ((await scrape(served)).of('http_streams', { stream: 'events.follow' }) !== 0);
  });

  test('exist only if the host collects them; other methods are rejected', async () => {
    await using without = await serve();
    expect((await without.fetch('/api/v2/metrics')).status).toBe(404);
    const { served } = await open();
    const reply = await served.post('/api/v2/metrics', {});
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('require credentials unless they are a service path', async () => {
    const engine = new TestEngine();
    const metrics = await engine.host.metrics();
    await using open1 = await serveWithAuth('auth: {mode: builtin}\n', { metrics });
    expect((await open1.ask('GET /dags')).status).toBe(401);
    expect((await fetch(`${open1.url}/api/v2/metrics`)).status).toBe(200);
    await using closed = await serveWithAuth(
      'auth: {mode: builtin}\nserver: {servicePaths: [/api/v2/health]}\n',
      { metrics },
    );
    expect((await fetch(`${closed.url}/api/v2/metrics`)).status).toBe(401);
    const { token } = await closed.enter('vera', 'viewer');
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${closed.url}/api/v2/metrics`, { headers })).status).toBe(200);
  });
});
