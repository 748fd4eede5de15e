import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

const day = 86_400_000;
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe('runs.calendar', () => {
  test('counts runs per day, for all workflows or one name', async () => {
    const engine = new TestEngine();
    const first = dateOf(engine.clock.now());
    await engine.run('name: a\nsteps: ["false"]');
    await engine.run('name: b\nsteps: [{ name: sub, run: c }]\n---\nname: c\nsteps: ["true"]');
    engine.clock.advance(2 * day);
    const last = dateOf(engine.clock.now());
    await engine.run('name: a\nsteps: ["true"]');
    const count = (input: Partial<OperationInput<'runs.calendar'>> = {}) =>
      engine.host.api.call(
        'runs.calendar',
        { fromDate: first, toDate: last, zone: 'UTC', ...input },
        testCaller,
      );
    expect(await count()).toEqual({
      zone: 'UTC',
      isComplete: true,
      days: [
        { date: first, total: 2, failed: 1 },
        { date: last, total: 1, failed: 0 },
      ],
    });
    expect((await count({ name: 'b' })).days).toEqual([{ date: first, total: 1, failed: 0 }]);
    await expect(count({ zone: 'Mars/Olympus' })).rejects.toThrow(
      'zone: unknown time zone "Mars/Olympus". Use a name such as Europe/Berlin.',
    );
    await expect(count({ toDate: '1999-01-01' })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('runs.list', () => {
  test('filters by trigger, queue, text and duration', async () => {
    const engine = new TestEngine();
    await engine.run('name: a\nparams: CITY=Oslo\nsteps: ["true"]', { dagRunId: 'a1' });
    await engine.run('name: b\nqueue: night\nsteps: ["false"]', { dagRunId: 'b1', trigger: 'cli' });
    const ids = async (input: OperationInput<'runs.list'>) =>
      (await engine.host.api.call('runs.list', input, testCaller)).dagRuns.map(({ dagRunId }) => dagRunId);
    expect(await ids({ trigger: ['cli', 'manual'] })).toEqual(['b1']);
    expect(await ids({ queue: 'night' })).toEqual(['b1']);
    expect(await ids({ text: 'oslo' })).toEqual(['a1']);
    expect(await ids({ text: 'EXIT CODE' })).toEqual(['b1']);
    expect(await ids({ text: '100%' })).toEqual([]);
    expect(await ids({ minDuration: 3600 })).toEqual([]);
    expect(await ids({ maxDuration: 3600, text: 'a1' })).toEqual(['a1']);
  });
});

describe('schedules.calendar', () => {
  test('lists due and suspended schedules, one entry per day', async () => {
    const engine = new TestEngine();
    mkdirSync(path.join(engine.home, 'dags'), { recursive: true });
    const write = (name: string, schedule: string) =>
      writeFileSync(
        path.join(engine.home, 'dags', `${name}.yaml`),
        `schedule: "CRON_TZ=UTC ${schedule}"\nsteps: ["true"]\n`,
      );
    write('hourly', '0 * * * *');
    write('rests', '30 4 * * *');
    await engine.host.api.call('dags.suspend', { fileName: 'rests', suspend: true }, testCaller);
    const tomorrow = dateOf(engine.clock.now() + day);
    const { entries, isComplete } = await engine.host.api.call(
      'schedules.calendar',
      { fromDate: tomorrow, toDate: tomorrow, zone: 'UTC' },
      testCaller,
    );
    expect(isComplete).toBe(true);
    expect(entries).toEqual([
      {
        fileName: 'hourly',
        name: 'hourly',
        kind: 'start',
        date: tomorrow,
        outcome: 'due',
        count: 24,
        first: `${tomorrow}T00:00:00.000Z`,
        last: `${tomorrow}T23:00:00.000Z`,
      },
      expect.objectContaining({ fileName: 'rests', outcome: 'suspended', count: 1 }),
    ]);
  });

  test('reports the outcome of past times', async () => {
    const engine = new TestEngine();
    const { schedule } = (await import('../../../core/store/open-store.ts')).openStore({
      file: path.join(engine.home, 'data', 'engine.db'),
    });
    const at = engine.clock.now();
    schedule.rejectFireTime(
      { dag: 'etl', kind: 'start', at },
      { outcome: 'skipped', reason: 'it still runs' },
      at,
    );
    const { entries } = await engine.host.api.call(
      'schedules.calendar',
      { fromDate: dateOf(at), toDate: dateOf(at), zone: 'UTC' },
      testCaller,
    );
    expect(entries).toMatchObject([
      {
        fileName: 'etl',
        outcome: 'skipped',
        reason: 'it still runs',
        count: 1,
        first: new Date(at).toISOString(),
      },
    ]);
  });
});

test('system.storage and system.check report the database', async () => {
  const engine = new TestEngine();
  await engine.run('name: a\nsteps: ["true"]');
  const storage = await engine.host.api.call('system.storage', {}, testCaller);
  expect(storage.rows).toEqual({ runs: 1, audit: 0 });
  expect(storage.database).toMatchObject({
    kind: 'sqlite',
    release: expect.stringMatching(/^3\.\d+\.\d+$/),
    file: expect.stringContaining(engine.home),
    answerMs: expect.any(Number),
  });
  expect(storage.database.connectedAt).toBeUndefined();
  expect(storage.database.bytes).toBeGreaterThan(0);
  expect(storage.disk.freeBytes).toBeLessThanOrEqual(storage.disk.bytes);
  expect(await engine.host.api.call('system.check', {}, testCaller)).toMatchObject({ findings: [] });
});
