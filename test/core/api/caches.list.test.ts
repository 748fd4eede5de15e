import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ListCache, isShared } from '../../../core/api/caches.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

const longAgo = new Date('2025-01-01');

function setUp(home?: string) {
  const engine = new TestEngine(home === undefined ? {} : { home });
  const { api } = engine.host;
  const dags = path.join(engine.home, 'dags');
  mkdirSync(dags, { recursive: true });
  const save = (name: string, text: string): void => {
    const file = path.join(dags, `${name}.yaml`);
    writeFileSync(file, text);
    utimesSync(file, longAgo, longAgo);
  };
  const list = (input: OperationInput<'dags.list'> = {}) => api.call('dags.list', input, testCaller);
  const runs = (input: OperationInput<'runs.list'> = {}) => api.call('runs.list', input, testCaller);
  return { engine, api, save, list, runs };
}

const plain = 'steps: ["true"]';

describe('workflow list', () => {
  test('is computed once per input while nothing changes', async () => {
    const { save, list } = setUp();
    save('a', plain);
    save('b', plain);
    const first = await list();
    expect(await list()).toBe(first);
    expect(isShared(first)).toBe(true);
    const second = await list({ order: 'desc' });
    expect(second.dags.map(({ fileName }) => fileName)).toEqual(['b', 'a']);
    expect(await list()).toBe(first);
  });

  test('shows a new file and changed text', async () => {
    const { save, list } = setUp();
    save('a', plain);
    await list();
    save('b', plain);
    expect((await list()).total).toBe(2);
    save('a', 'description: new\nsteps: ["true"]');
    expect((await list()).dags[0]!.description).toBe('new');
  });

  test('shows the state of the newest run, including runs of another host', async () => {
    const { engine, api, save, list } = setUp();
    save('a', plain);
    expect((await list()).dags[0]!.latestRun).toBeUndefined();
    const run = await api.call('dags.start', { fileName: 'a' }, testCaller);
    expect((await list()).dags[0]!.latestRun).toMatchObject({ dagRunId: run.dagRunId });
    await engine.end(run);
    expect((await list()).dags[0]!.latestRun!.status).toBe('succeeded');
    expect((await list({ status: ['succeeded'] })).total).toBe(1);
    const other = setUp(engine.home);
    const foreign = await other.engine.run(plain, { name: 'a' });
    expect((await list()).dags[0]!.latestRun!.dagRunId).toBe(foreign.dagRunId);
  });

  test('shows suspended workflows', async () => {
    const { api, save, list } = setUp();
    save('a', 'schedule: "0 12 * * *"\nsteps: ["true"]');
    expect((await list()).dags[0]).toMatchObject({ suspended: false, nextRun: expect.any(String) });
    await api.call('dags.suspend', { fileName: 'a', suspend: true }, testCaller);
    const [dag] = (await list()).dags;
    expect(dag!.suspended).toBe(true);
    expect(dag!.nextRun).toBeUndefined();
  });

  test('shows the next run after the one that was due, and an earlier one when the clock was set back', async () => {
    const { engine, save, list } = setUp();
    const { clock } = engine;
    save('hourly', 'schedule: "CRON_TZ=UTC 0 * * * *"\nsteps: ["true"]');
    save('daily', 'schedule: "CRON_TZ=UTC 30 0 * * *"\nsteps: ["true"]');
    const names = async () => (await list({ sort: 'nextRun' })).dags.map(({ fileName }) => fileName);
    const next = async () => (await list()).dags.map(({ nextRun }) => nextRun);
    clock.jumpTo(Date.UTC(2026, 0, 1));
    expect(await next()).toEqual(['2026-01-01T00:30:00.000Z', '2026-01-01T01:00:00.000Z']);
    expect(await names()).toEqual(['daily', 'hourly']);
    clock.jumpTo(Date.UTC(2026, 0, 1, 0, 30));
    expect(await next()).toEqual(['2026-01-02T00:30:00.000Z', '2026-01-01T01:00:00.000Z']);
    expect(await names()).toEqual(['hourly', 'daily']);
    clock.jumpTo(Date.UTC(2025, 11, 31));
    expect(await next()).toEqual(['2025-12-31T00:30:00.000Z', '2025-12-31T01:00:00.000Z']);
    expect(await names()).toEqual(['daily', 'hourly']);
  });
});

describe('run list', () => {
  test('is computed once while nothing is committed', async () => {
    const { engine, runs } = setUp();
    await engine.run(plain, { name: 'a' });
    const first = await runs();
    expect(await runs()).toBe(first);
    await engine.run(plain, { name: 'b' });
    expect((await runs()).dagRuns).toHaveLength(2);
    const other = setUp(engine.home);
    await other.engine.run(plain, { name: 'c' });
    expect((await runs()).dagRuns).toHaveLength(3);
  });

  test('is recomputed while a run is queued, since the reason is not only in the store', async () => {
    const { engine, runs } = setUp();
    await engine.host.enqueueRun({ source: { spec: plain }, trigger: 'api', name: 'waits' });
    const first = await runs();
    expect(first.dagRuns[0]!.status).toBe('queued');
    expect(await runs()).not.toBe(first);
  });
});

test('caches only the most recently requested lists', async () => {
  const lists = new ListCache();
  const ask = (key: string) => lists.answer(key, [], 0, async () => ({ list: { key }, until: Infinity }));
  const first = await ask('first');
  for (let time = 0; time < 20; time += 1) {
    await ask(`other ${time}`);
    expect(await ask('first')).toBe(first);
  }
  for (let time = 0; time < 20; time += 1) await ask(`other ${time}`);
  expect(await ask('first')).not.toBe(first);
});
