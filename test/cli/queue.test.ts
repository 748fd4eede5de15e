import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  type TestHome,
} from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

const job = 'params: WORD=default\nsteps:\n  - command: echo "$WORD"\n';

function place(): TestHome {
  const testHome = makeTestHome();
  saveDag(testHome, 'job', job);
  return testHome;
}

const enqueue = (testHome: TestHome, ...args: string[]) => runEngine(testHome, ['enqueue', 'job', ...args]);

describe('engine enqueue', () => {
  it('queues a run that engine scheduler starts', async () => {
    const testHome = place();
    const { code, stdout } = await enqueue(testHome, '--run-id', 'a', '--', 'WORD=mine');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Queued run a of job: no scheduler is running: start the app or "engine scheduler"\n',
    });
    const waiting = await runEngine(testHome, ['status', 'job']);
    expect(waiting.stdout).toMatch(/Wait reason +no scheduler is running/);
    const scheduler = startEngine(testHome, ['scheduler', '--port', '0']);
    await once(scheduler.child.stdout!, 'data');
    await waitUntilPasses(async () => {
      const { json } = await runForJson(testHome, ['status', 'job']);
      expect(json).toMatchObject({ status: 'succeeded', params: ['WORD=mine'] });
    }, 100);
    expect((await runEngine(testHome, ['logs', 'job'])).stdout).toContain('mine');
    scheduler.kill('SIGTERM');
    expect((await scheduler.ended).code).toBe(0);
  });

  it('accepts a queue, a priority and a name; history and JSON show why the run waits', async () => {
    const testHome = place();
    const { json } = await runForJson(testHome, [
      ...['enqueue', 'job', '--queue', 'etl', '--priority', '-3', '--name', 'other', '--run-id', 'a'],
    ]);
    expect(json).toMatchObject({
      ...{ name: 'other', dagRunId: 'a', status: 'queued' },
      wait: { kind: 'no_host', queue: 'etl', priority: -3, running: 0, limit: 1 },
    });
    expect((await runEngine(testHome, ['history'])).stdout).toMatch(/queued.*no scheduler is running/);
  });

  it.each([
    [['--priority', 'high'], 2, /whole number from -1000 to 1000/],
    [['surplus'], 2, /Unexpected argument "surplus" after "job"\./],
    [['--singleton'], 4, /already has 1 active or queued run\./],
    [['--run-id', 'first'], 4, /already has a run with the ID first/],
  ])('rejects %j', async (args, expected, message) => {
    const testHome = place();
    await enqueue(testHome, '--run-id', 'first');
    const { code, stderr } = await enqueue(testHome, ...args);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) as string });
  });

  it('queues a singleton next to one that is started', async () => {
    const testHome = place();
    await enqueue(testHome);
    const { code, stderr } = await runEngine(testHome, ['start', 'job', '--singleton']);
    expect(code).toBe(4);
    expect(stderr).toContain('already has 1 active or queued run.');
  });
});

describe('engine dequeue', () => {
  it('removes the oldest run, or a given one', async () => {
    const testHome = place();
    for (const id of ['a', 'b', 'c']) await enqueue(testHome, '--run-id', id);
    expect((await runEngine(testHome, ['dequeue', 'job'])).stdout).toBe(
      'Removed run a of job from queue job.\n',
    );
    expect((await runEngine(testHome, ['dequeue', 'job', '--dag-run', 'job:c'])).stdout).toBe(
      'Removed run c of job from queue job.\n',
    );
    const { json } = await runForJson(testHome, ['status', 'job', '--run-id', 'c']);
    expect(json).toMatchObject({ status: 'aborted', startedAt: null });
    const stop = await runEngine(testHome, ['stop', 'job']);
    expect(stop.stdout).toBe('Run b of job: aborted\n');
    const empty = await runEngine(testHome, ['dequeue', 'job']);
    expect({ code: empty.code, stderr: empty.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('Queue job is empty') as string,
    });
  });

  it.each([
    ['etl', 'job:a', 4, /is in queue "job", not in "etl"/],
    ['job', 'job:none', 3, /Run "none" of "job" not found/],
    [
      'job',
      'a',
      2,
      /Option '-d, --dag-run <name:id>' argument 'a' is invalid\. Expected a workflow name and a run ID, such as etl:nightly-7\./,
    ],
  ])('rejects %s --dag-run %s', async (queue, run, expected, message) => {
    const testHome = place();
    await enqueue(testHome, '--run-id', 'a');
    const { code, stderr } = await runEngine(testHome, ['dequeue', queue, '--dag-run', run]);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) as string });
  });
});
