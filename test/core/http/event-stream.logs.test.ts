import { appendFileSync, mkdirSync, openSync, closeSync, writeFileSync, writeSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EngineApi } from '../../../core/api/engine-api.ts';
import type { LogText } from '../../../core/contract/logs.ts';
import { heartbeatMs } from '../../../core/contract/transport.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { TestEngine } from '../../harness/engine.ts';
import { createOwnedRun } from '../store/store-harness.ts';
import { EventReader, serve } from '../../harness/server.ts';

/** A real engine behind a real server, on the engine's clock. */
async function openHarness(options: { home?: string } = {}) {
  const engine = new TestEngine(options);
  const { api } = engine.host;
  /** Streams that were closed or disconnected. */
  const cuts: string[] = [];
  const follow: EngineApi['follow'] = (name, input, observer, caller) => {
    const dispose = api.follow(name, input, observer, caller);
    return () => {
      cuts.push(name);
      dispose();
    };
  };
  const watched: EngineApi = { call: (name, input, caller) => api.call(name, input, caller), follow };
  const served = await serve({ api: watched, clock: engine.clock });
  onTestFinished(() => served[Symbol.asyncDispose]());
  const open = async (address: string, headers: Record<string, string> = {}) => {
    const abort = new AbortController();
    const reply = await served.fetch(`/api/v2${address}`, { headers, signal: abort.signal });
    return { reply, reader: new LogStreamReader(reply, engine), leave: () => abort.abort() };
  };
  return { engine, served, open, cuts };
}

/** Reads a stream of a log's text while time passes. */
class LogStreamReader {
  readonly items: LogText[] = [];
  lastId: string | undefined;
  last: { readonly event: string; readonly data: string } | undefined;

  constructor(reply: Response, engine: TestEngine) {
    if (reply.status === 200) void this.#read(new EventReader(reply)).catch(() => {});
    const timer = setInterval(() => engine.clock.advance(20), 2);
    onTestFinished(() => clearInterval(timer));
  }

  get lines(): string[] {
    return this.items.flatMap(({ lines }) => lines);
  }

  async #read(reader: EventReader): Promise<void> {
    for (let event = await reader.nextEvent(); event !== undefined; event = await reader.nextEvent()) {
      if (event.id !== undefined) this.lastId = event.id;
      if (event.event === 'message' && event.data !== '') this.items.push(JSON.parse(event.data) as LogText);
      else if (event.event !== 'message') this.last = event;
    }
  }
}

const talk = `
name: talk
steps:
  - name: say
    command: |
      printf 'one\\ntw'; while [ ! -e a ]; do sleep 0.01; done
      printf 'o \\342'; while [ ! -e b ]; do sleep 0.01; done
      printf '\\202\\254\\nthree\\n'; while [ ! -e c ]; do sleep 0.01; done
      printf four`;

const stepPath = ({ name, dagRunId }: RunRef, more = ''): string =>
  `/dag-runs/${name}/${dagRunId}/steps/say/log/stream?attempt=1${more}`;

test('follows a log while a step writes it, and resumes after a disconnect', async () => {
  const { engine, open } = await openHarness();
  const folder = makeTemporaryFolder();
  const run = await engine.start(talk, { defaultWorkingDir: folder });
  await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
  const first = await open(stepPath(run));
  await until(() => first.reader.lines.length === 1);
  writeFileSync(path.join(folder, 'a'), '');
  await until(() => engine.clock.advance(1) === undefined && first.reader.lines.length === 1);
  expect(first.reader.items).toEqual([{ id: 4, offset: 0, lines: ['one'] }]);
  first.leave();
  writeFileSync(path.join(folder, 'b'), '');
  const second = await open(stepPath(run), { 'last-event-id': first.reader.lastId! });
  await until(() => second.reader.lines.length === 2);
  expect(second.reader.lines).toEqual(['two €', 'three']);
  writeFileSync(path.join(folder, 'c'), '');
  await until(() => second.reader.last !== undefined);
  expect(second.reader.lines.at(-1)).toBe('four');
  expect(second.reader.last).toMatchObject({ event: 'end' });
  await engine.end(run);
  const tail = await open(stepPath(run, '&tail=1'));
  await until(() => tail.reader.last !== undefined);
  expect(tail.reader.lines).toEqual(['four']);
});

test('follows the log of a run to the end of the run', async () => {
  const { engine, open } = await openHarness();
  const folder = makeTemporaryFolder();
  const run = await engine.start(talk, { defaultWorkingDir: folder });
  await engine.untilRun(run, (view) => view.status === 'running');
  const { reader } = await open(`/dag-runs/${run.name}/${run.dagRunId}/log/stream`);
  await until(() => reader.lines.some((line) => line.endsWith('step say started')));
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, name), '');
  await until(() => reader.last !== undefined);
  expect(reader.lines.at(-1)).toMatch(/Z run succeeded$/);
  expect(reader.last).toMatchObject({ event: 'end' });
});

test('rejects a missing log with a status', async () => {
  const { engine, open } = await openHarness();
  const run = await engine.run('name: talk\nsteps: [{name: say, command: echo a}]');
  const error = async (address: string) => {
    const { reply } = await open(address);
    const { code, details } = (await reply.json()) as Record<string, unknown>;
    return [reply.status, code, details];
  };
  expect(await error(stepPath({ name: 'talk', dagRunId: 'gone' }))).toEqual([404, 'not_found', undefined]);
  expect(await error('/dag-runs/talk/gone/log/stream')).toEqual([404, 'not_found', undefined]);
  expect(await error(stepPath(run).replace('attempt=1', 'attempt=2'))).toEqual([404, 'not_found', undefined]);
  expect(await error(stepPath(run).replace('attempt=1', ''))).toEqual([
    400,
    'bad_request',
    { field: 'attempt' },
  ]);
  for (const address of [stepPath({ ...run, dagRunId: 'latest' }), '/dag-runs/talk/latest/log/stream'])
    expect(await error(address)).toEqual([400, 'bad_request', { field: 'dagRunId' }]);
});

/** A home with a run whose step is active, and a log of it that the test writes. */
async function makeHome() {
  const home = makeTemporaryFolder();
  const logDir = makeTemporaryFolder();
  mkdirSync(path.join(home, 'data'));
  const store = openStore({ file: path.join(home, 'data/engine.db') });
  const spec = { text: 'name: etl\nsteps: [{name: say, command: a}]', document: 0 };
  const { run, write } = await createOwnedRun(store, { spec });
  const node = { section: 'step', name: 'say' } as const;
  await write([
    { type: 'run.started', logDir },
    { type: 'step.started', node, attempt: 1, dir: 'say.1' },
  ]);
  const end = async (): Promise<void> => {
    await write([
      { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 },
      { type: 'run.finished', status: 'succeeded', outputs: {} },
    ]);
    store.close();
  };
  mkdirSync(path.join(logDir, 'say.1'));
  return { home, run, end, file: path.join(logDir, 'say.1/stdout.log') };
}

test('a stream resumes after a restart of the server', async () => {
  const { home, run, end, file } = await makeHome();
  appendFileSync(file, 'one\ntwo\nthr');
  const before = await openHarness({ home });
  const first = await before.open(stepPath(run));
  await until(() => first.reader.lines.length === 2);
  await before.served.server.close();
  await until(() => first.reader.last !== undefined);
  expect(JSON.parse(first.reader.last!.data)).toMatchObject({ code: 'unavailable' });
  appendFileSync(file, 'ee\nfour\n');
  const after = await openHarness({ home });
  const second = await after.open(stepPath(run), { 'last-event-id': first.reader.lastId! });
  await until(() => second.reader.lines.length === 2);
  await end();
  await until(() => second.reader.last !== undefined);
  expect([...first.reader.lines, ...second.reader.lines]).toEqual(['one', 'two', 'three', 'four']);
});

const mebibyte = 1_048_576;

/** A log of unique lines. Returns its size. */
function writeBigLog(file: string, megabytes: number): number {
  const handle = openSync(file, 'w');
  let size = 0;
  for (let block = 0; block < megabytes; block += 1) {
    const lines = Array.from({ length: 8192 }, (_, line) => `${block} ${line} `.padEnd(127, '.'));
    size += writeSync(handle, `${lines.join('\n')}\n`);
  }
  closeSync(handle);
  return size;
}

test('streams a log of 100 MB completely, in bounded memory', async () => {
  const { home, run, end, file } = await makeHome();
  const size = writeBigLog(file, 100);
  await end();
  const { served } = await openHarness({ home });
  const reader = new EventReader(await served.fetch(`/api/v2${stepPath(run)}`));
  const before = process.memoryUsage().arrayBuffers;
  let [at, lines, max] = [0, 0, 0];
  for (let event = await reader.nextEvent(); event?.event === 'message'; event = await reader.nextEvent()) {
    if (event.data === '') continue;
    const item = JSON.parse(event.data) as LogText;
    expect(item.offset).toBe(at);
    at = item.id;
    lines += item.lines.length;
    max = Math.max(max, process.memoryUsage().arrayBuffers - before);
  }
  expect([at, lines]).toEqual([size, 100 * 8192]);
  expect(max).toBeLessThan(64 * mebibyte);
}, 60_000);

/**
 * Counts what the process reads from open files from now on, in requested bytes.
 * @param file any existing one
 */
async function countReadBytes(file: string): Promise<() => number> {
  await using handle = await openFile(file, 'r');
  const read = vi.spyOn(Object.getPrototypeOf(handle) as { read(...args: unknown[]): unknown }, 'read');
  return () => read.mock.calls.reduce((sum, [, , length]) => sum + Number(length), 0);
}

test('does not read ahead for a reader that does not read, and disconnects it', async () => {
  const { home, run, end, file } = await makeHome();
  const size = writeBigLog(file, 64);
  await end();
  const { engine, served, cuts } = await openHarness({ home });
  const readBytes = await countReadBytes(file);
  const socket = connect(served.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /api/v2${stepPath(run)} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
  await once(socket, 'readable');
  await until(() => {
    engine.clock.advance(heartbeatMs);
    return cuts.length > 0;
  });
  const ahead = readBytes();
  expect(ahead).toBeGreaterThan(0);
  expect(ahead).toBeLessThan(size / 2);
  let [text, taken] = ['', 0];
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    taken += chunk.length;
    text = (text + chunk).slice(-2000);
  });
  await once(socket, 'end');
  expect(text).toContain('event: error\ndata: {"code":"too_many_requests"');
  // It was read only as far as it was sent: nothing more was buffered.
  expect(ahead - taken).toBeLessThan(mebibyte / 4);
}, 60_000);
