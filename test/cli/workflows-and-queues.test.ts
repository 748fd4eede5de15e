import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, saveDag } from '../harness/home-and-command.ts';

const json = (stdout: string): Record<string, never> => JSON.parse(stdout) as Record<string, never>;

describe('engine dags', () => {
  it('lists workflows with their next runs, by name or by next run', async () => {
    const place = makeTestHome();
    saveDag(place, 'a-plain', 'steps:\n  - echo\n');
    saveDag(place, 'b-late', 'tags: [x]\nschedule: "0 0 1 1 *"\nsteps:\n  - echo\n');
    saveDag(place, 'c-soon', 'tags: [x, y]\nschedule: "* * * * *"\nsteps:\n  - echo\n');
    saveDag(place, 'd-broken', 'steps: {');
    const names = async (...options: string[]): Promise<string[]> => {
      const { stdout } = await runEngine(place, ['dags', '--format', 'json', ...options]);
      const { dags } = JSON.parse(stdout) as { dags: { fileName: string }[] };
      return dags.map(({ fileName }) => fileName);
    };
    expect(await names()).toEqual(['a-plain', 'b-late', 'c-soon', 'd-broken']);
    expect(await names('--sort', 'nextRun')).toEqual(['c-soon', 'b-late', 'a-plain', 'd-broken']);
    expect(await names('--tag', 'x', '--tag', 'y')).toEqual(['c-soon']);
    expect(await names('--name', 'LATE')).toEqual(['b-late']);
    const { stdout, stderr } = await runEngine(place, ['dags']);
    expect(stdout).toMatch(/^d-broken +invalid$/m);
    expect(stderr).toBe(
      'Scheduler not running: no scheduled run will start. Start it with "engine scheduler" or "engine start-all".\n',
    );
  });

  it('succeeds and reports that there are none', async () => {
    expect(await runEngine(makeTestHome(), ['dags'])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('engine suspend and resume', () => {
  it('pause and resume a schedule', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'schedule: "* * * * *"\nsteps:\n  - echo\n');
    const suspended = await runEngine(place, ['suspend', 'etl', '--format', 'json']);
    expect(json(suspended.stdout)).toEqual({ fileName: 'etl', suspended: true });
    expect((await runEngine(place, ['dags'])).stdout).toMatch(/^etl +suspended$/m);
    expect((await runEngine(place, ['resume', 'etl'])).stdout).toBe('Resumed the schedule of etl.\n');
    expect((await runEngine(place, ['dags'])).stdout).not.toContain('suspended');
  });

  it('reject an unknown workflow and a file outside the folder', async () => {
    const place = makeTestHome();
    const file = saveDag(place, '../other', 'steps:\n  - echo\n');
    expect(await runEngine(place, ['suspend', 'etl'])).toMatchObject({ code: 3 });
    expect(await runEngine(place, ['suspend', file])).toMatchObject({ code: 2 });
  });
});

describe('engine rename, duplicate and delete', () => {
  it('change workflow files and the steps that run them', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo\n');
    saveDag(place, 'caller', 'steps:\n  - run: etl\n');
    const renamed = await runEngine(place, ['rename', 'etl', 'load']);
    expect(renamed.stdout).toMatch(/^Renamed etl to load\.\nUpdated caller: /);
    const copied = await runEngine(place, ['duplicate', 'load', 'load-2', '--format', 'json']);
    expect(json(copied.stdout)).toEqual({ fileName: 'load-2', name: 'load-2', suspended: false });
    expect(await runEngine(place, ['delete', 'load'])).toMatchObject({ code: 2 });
    await runEngine(place, ['start', 'load']);
    const deleted = await runEngine(place, ['delete', 'load', '--runs', '--yes']);
    expect(deleted).toMatchObject({ code: 0, stdout: 'Deleted load and 1 run.\n' });
    expect((await runEngine(place, ['dags', '--format', 'json'])).stdout).not.toContain('"load"');
  });
});

describe('engine queues', () => {
  it('shows queues and queued runs, and opens and closes queues', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'queue: nightly\nsteps:\n  - echo\n');
    expect(await runEngine(place, ['queues'])).toMatchObject({ code: 0, stdout: '', stderr: 'No queues.\n' });
    await runEngine(place, ['enqueue', 'etl', '-r', 'one']);
    await runEngine(place, ['enqueue', 'etl', '-r', 'two', '--priority', '5']);
    const list = await runEngine(place, ['queues', 'list']);
    expect(list.stdout).toMatch(/^nightly +open +0 +\S+ +2 +/m);
    expect(list.stderr).toContain('engine scheduler');
    const items = await runEngine(place, ['queues', 'items', 'nightly', '--limit', '1', '--format', 'json']);
    expect(JSON.parse(items.stdout)).toMatchObject({ items: [{ dagRunId: 'two', priority: 5 }] });
    expect(await runEngine(place, ['queues', 'pause', 'nigthly'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Did you mean "nightly"?'),
    });
    const paused = await runEngine(place, ['queues', 'pause', 'nightly', '--format', 'json']);
    expect(JSON.parse(paused.stdout)).toMatchObject({ name: 'nightly', state: 'paused', queuedCount: 2 });
    await runEngine(place, ['queues', 'drain', 'nightly']);
    expect(await runEngine(place, ['enqueue', 'etl'])).toMatchObject({ code: 4 });
    expect((await runEngine(place, ['queues', 'resume', 'nightly'])).stdout).toBe('Queue nightly is open.\n');
    expect(JSON.parse((await runEngine(place, ['queues', '--format', 'json'])).stdout)).toMatchObject({
      queues: [{ name: 'nightly', state: 'open', queuedCount: 2 }],
      summary: { totalQueued: 2 },
      processed: false,
    });
  });
});

describe('engine suspend --all', () => {
  it('pauses all schedules until engine resume --all', async () => {
    const place = makeTestHome();
    const paused = await runEngine(place, ['suspend', '--all', '--for', '8h', '--format', 'json']);
    const { pause } = json(paused.stdout) as unknown as { pause: { since: string; until: string } };
    expect(Math.round((Date.parse(pause.until) - Date.parse(pause.since)) / 3_600_000)).toBe(8);
    expect((await runEngine(place, ['suspend', '--all', '--for', '8h'])).stdout).toMatch(
      /^Paused all schedules until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\./,
    );
    expect((await runEngine(place, ['resume', '--all'])).stdout).toBe('Resumed all schedules.\n');
    expect((await runEngine(place, ['resume', '--all', '--format', 'json'])).stdout).toContain('false');
  });

  it.each([[[]], [['etl', '--all']], [['etl', '--for', '1h']], [['--all', '--for', '1w']]])(
    'rejects %j',
    async (args) => {
      expect(await runEngine(makeTestHome(), ['suspend', ...args])).toMatchObject({ code: 2 });
    },
  );
});
