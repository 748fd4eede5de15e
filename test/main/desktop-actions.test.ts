import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { desktopActions } from '../../main/desktop-actions.ts';
import type { DesktopActions } from '../../main/tray-menu.ts';
import { FakeClock } from '../harness/fakes.ts';
import { TestEngine, testCaller } from '../harness/engine.ts';
import { until } from '../harness/resources.ts';

let engine: TestEngine;
let actions: DesktopActions;
let done: string[];
let answer: number;

beforeEach(() => {
  engine = new TestEngine({ clock: new FakeClock(new Date(2026, 0, 15, 14, 0).getTime()) });
  mkdirSync(path.join(engine.home, 'dags'), { recursive: true });
  [done, answer] = [[], 1];
  actions = desktopActions({
    api: engine.host.api,
    clock: engine.clock,
    open: (hash) => done.push(`open ${hash ?? ''}`),
    quit: () => done.push('quit'),
    notify: (message) =>
      done.push(message.kind === 'notice' ? `notice ${message.notice.text}` : message.kind),
    ask: async ({ message }) => {
      done.push(message);
      return { response: answer };
    },
    onChanged: () => done.push('changed'),
  });
});

const save = (name: string, text: string): void =>
  writeFileSync(path.join(engine.home, 'dags', `${name}.yaml`), text);
const pauseOf = async () => (await engine.host.api.call('services.scheduler', {}, testCaller)).pause?.until;
const untilDone = (what: string): Promise<void> => until(() => done.some((each) => each.startsWith(what)));

test('search opens the command palette of the window', () => {
  actions.search();
  expect(done).toEqual(['open ', 'open_palette']);
});

test('starts a workflow; one with parameters, or an invalid one, is opened instead', async () => {
  save('plain', 'steps:\n  - "true"\n');
  save('asks', 'params:\n  - DATE: today\nsteps:\n  - "true"\n');
  save('typed', 'params: [{ name: DATE, required: true }]\nsteps:\n  - "true"\n');
  save('broken', 'steps: {');
  for (const fileName of ['plain', 'asks', 'typed', 'broken']) actions.start({ fileName, name: fileName });
  await until(() => done.filter((each) => each === 'changed').length === 4);
  expect(done.filter((each) => each.startsWith('open')).toSorted()).toEqual([
    'open #/dags/asks?run=ask',
    'open #/dags/broken',
    'open #/dags/typed?run=ask',
  ]);
  const { dagRuns } = await engine.host.api.call('runs.list', {}, testCaller);
  expect(dagRuns.map(({ name }) => name)).toEqual(['plain']);
});

test('errors are shown in the window', async () => {
  actions.start({ fileName: 'gone', name: 'gone' });
  await untilDone('notice');
  expect(done).toEqual(['open ', expect.stringContaining('gone')]);
});

test('stops a run only after confirmation by name', async () => {
  const run = await engine.start('name: long\nsteps:\n  - sleep 600\n');
  await engine.untilRun(run, ({ status }) => status === 'running');
  actions.stop({ ...run, status: 'running' });
  await untilDone('changed');
  expect(done[0]).toBe('Stop the run of long?');
  expect((await engine.get(run)).status).toBe('running');
  answer = 0;
  actions.stop({ ...run, status: 'running' });
  expect((await engine.end(run)).status).toBe('aborted');
});

test('pauses schedules for an hour, until midnight, or until resumed', async () => {
  const ends: (string | undefined)[] = [];
  for (const span of ['hour', 'tomorrow', 'resumed'] as const) {
    actions.pause(span);
    await untilDone('changed');
    done = [];
    ends.push(await pauseOf());
  }
  const local = (...at: [number, number, number, number]): string => new Date(...at).toISOString();
  expect(ends).toEqual([local(2026, 0, 15, 15), local(2026, 0, 16, 0), undefined]);
  actions.resume();
  await untilDone('changed');
  expect((await engine.host.api.call('services.scheduler', {}, testCaller)).pause).toBeUndefined();
});
