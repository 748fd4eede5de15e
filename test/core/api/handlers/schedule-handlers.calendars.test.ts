import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationInput, OperationOutput } from '../../../../core/contract/operations.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

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
    const { schedule } = openStore({ file: path.join(engine.home, 'data', 'engine.db') });
    const at = engine.clock.now();
    await schedule.rejectFireTime(
      { dag: 'etl', kind: 'start', at },
      { name: 'etl', outcome: 'skipped', reason: 'it still runs' },
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

describe('schedules.counts', () => {
  function openWith(files: Readonly<Record<string, string>>) {
    const engine = new TestEngine();
    mkdirSync(path.join(engine.home, 'dags'), { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(engine.home, 'dags', `${name}.yaml`), `${text}\nsteps: ["true"]\n`);
    const call = (input: Partial<OperationInput<'schedules.counts'>> = {}) =>
      engine.host.api.call(
        'schedules.counts',
        {
          fromDate: dateOf(engine.clock.now() + day),
          toDate: dateOf(engine.clock.now() + 7 * day),
          zone: 'UTC',
          ...input,
        },
        testCaller,
      );
    return { engine, call };
  }
  const total = (hours: OperationOutput<'schedules.counts'>['hours'], outcome: 'due' | 'paused' | 'missed') =>
    hours.reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);

  test('counts every time of every workflow, however many', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`five-${index}`, 'schedule: "CRON_TZ=UTC */5 * * * *"']),
    );
    const { engine, call } = openWith({ ...files, minutely: 'schedule: "CRON_TZ=UTC * * * * *"' });
    const { hours, workflows } = await call();
    expect(workflows).toBe(16);
    expect(hours).toHaveLength(168);
    expect(new Set(hours.map(({ due }) => due))).toEqual(new Set([15 * 12 + 60]));
    // The days of the list have the same counts, also the last one.
    const { entries } = await engine.host.api.call(
      'schedules.calendar',
      {
        fromDate: dateOf(engine.clock.now() + day),
        toDate: dateOf(engine.clock.now() + 7 * day),
        zone: 'UTC',
      },
      testCaller,
    );
    expect(new Set(entries.filter(({ name }) => name === 'minutely').map(({ count }) => count))).toEqual(
      new Set([1440]),
    );
    expect(entries.find(({ name }) => name === 'five-0')).toMatchObject({ count: 288, frequent: true });
  });

  test('filters by name, tag, group and frequency', async () => {
    const { call } = openWith({
      nightly: 'schedule: "CRON_TZ=UTC 0 2 * * *"\ntags: db\ngroup: data',
      often: 'schedule: "CRON_TZ=UTC */10 * * * *"\ntags: [db, web]',
      manual: 'tags: db',
    });
    const due = async (input: Partial<OperationInput<'schedules.counts'>>) => {
      const { hours, workflows } = await call(input);
      return [workflows, total(hours, 'due')];
    };
    expect(await due({ tags: ['db'] })).toEqual([2, 7 + 7 * 144]);
    expect(await due({ tags: ['db', 'web'] })).toEqual([1, 7 * 144]);
    expect(await due({ group: 'data' })).toEqual([1, 7]);
    expect(await due({ name: 'NIGHT' })).toEqual([1, 7]);
    expect(await due({ frequency: 'frequent' })).toEqual([1, 7 * 144]);
    expect(await due({ frequency: 'infrequent' })).toEqual([1, 7]);
  });

  test('counts the times of a pause as paused', async () => {
    const { engine, call } = openWith({ nightly: 'schedule: "CRON_TZ=UTC 0 2 * * *"' });
    const until = new Date(Date.parse(dateOf(engine.clock.now() + 3 * day))).toISOString();
    await engine.host.api.call('schedules.pause', { until }, testCaller);
    const { hours } = await call();
    expect([total(hours, 'paused'), total(hours, 'due')]).toEqual([2, 5]);
  });

  test('counts the times without a scheduler as missed, and lists them', async () => {
    const { engine, call } = openWith({ hourly: 'schedule: "CRON_TZ=UTC 30 * * * *"' });
    const { schedule } = openStore({ file: path.join(engine.home, 'data', 'engine.db') });
    const from = engine.clock.now();
    await schedule.rememberSchedules([{ dag: 'hourly', mark: 'm' }], from);
    const first = Math.ceil((from - 1_800_000) / 3_600_000) * 3_600_000 + 1_800_000;
    await schedule.rejectFireTime(
      { dag: 'hourly', kind: 'start', at: first },
      { name: 'hourly', outcome: 'skipped', reason: 'busy' },
      first,
    );
    engine.clock.advance(6 * 3_600_000);
    const span = { fromDate: dateOf(from), toDate: dateOf(engine.clock.now()) };
    expect(total((await call(span)).hours, 'missed')).toBe(5);
    const { entries } = await engine.host.api.call(
      'schedules.calendar',
      { ...span, zone: 'UTC' },
      testCaller,
    );
    const missed = entries.filter(({ reason }) => reason?.startsWith('No scheduler'));
    expect(missed.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(missed[0]!.outcome).toBe('skipped');
  });

  test('names the days of daylight saving changes', async () => {
    const { call } = openWith({});
    const { clockChanges } = await call({
      fromDate: '2026-10-20',
      toDate: '2026-10-30',
      zone: 'Europe/Berlin',
    });
    expect(clockChanges).toEqual([{ at: '2026-10-25T01:00:00.000Z', date: '2026-10-25', minutes: -60 }]);
  });
});

test('services.startScheduler starts a scheduler in this process, once', async () => {
  const engine = new TestEngine();
  const start = () => engine.host.api.call('services.startScheduler', {}, testCaller);
  expect(await start()).toEqual({ wasActive: false });
  const { schedulers } = await engine.host.api.call('services.scheduler', {}, testCaller);
  expect(schedulers).toMatchObject([{ status: 'active' }]);
  expect(await start()).toEqual({ wasActive: true });
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
