import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag, type TestHome } from '../harness/home-and-command.ts';

/** A run of three items whose second fails at first, and succeeds on retry. */
async function makeRun(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(
    place,
    'photos',
    `workingDir: ${place.cwd}
steps:
  - name: resize
    parallel: [one, two, three]
    command: |
      echo "$ITEM"
      test "$ITEM" != two || test -e seen || { touch seen; echo no >&2; exit 3; }
    retryPolicy: { limit: 1, intervalSec: 0 }
`,
  );
  const { stderr } = await runEngine(place, ['start', 'photos', '--run-id', 'first']);
  expect(stderr.split('\n').map((line) => line.slice(9))).toEqual([
    'run photos first started',
    'step resize started',
    'step resize item 2 failed: exit code 3: no',
    expect.stringMatching(/^step resize failed/),
    'step resize started (attempt 2)',
    expect.stringMatching(/^step resize succeeded in \S+, 3\/3 items$/),
    expect.stringMatching(/^run photos succeeded/),
    '',
  ]);
  return place;
}

describe('a step with parallel on the command line', () => {
  it('shows the log of one item, of its latest attempt or of a given one', async () => {
    const place = await makeRun();
    const logs = (...args: string[]) => runEngine(place, ['logs', 'photos', ...args]);
    expect((await logs('resize', '--item', '3')).stdout).toBe('three\n');
    expect((await logs('resize', '--item', '2')).stdout).toBe('two\n');
    expect((await logs('resize', '--item', '2', '--attempt', '1', '--stream', 'stderr')).stdout).toBe('no\n');
    expect((await logs('resize', '--item', '2', '--follow')).stdout).toBe('two\nno\ntwo\n');
    expect((await logs('resize', '--attempt', '2', '--stream', 'stderr')).stdout).toBe(
      'item 2 (two) succeeded\n',
    );
  });

  it('names an item that does not exist', async () => {
    const place = await makeRun();
    const error = async (...args: string[]) => {
      const { code, stderr } = await runEngine(place, ['logs', 'photos', ...args]);
      return [code, stderr];
    };
    expect(await error('resize', '--item', '3', '--attempt', '2')).toEqual([
      3,
      'engine: resize has no item 3 in attempt 2 in run first.\n',
    ]);
    expect(await error('resize', '--item', '4')).toEqual([3, 'engine: resize has no item 4 in run first.\n']);
    expect(await error('--item', '1')).toEqual([
      2,
      expect.stringContaining('Option --item requires a step. Name the step before it.'),
    ]);
  });

  it('counts all items after a retry', async () => {
    const place = await makeRun();
    const items = { total: 3, started: 3, running: 0, succeeded: 3, failed: 0 };
    const { json } = await runForJson(place, ['status', 'photos']);
    expect(json.steps[0]).toMatchObject({ name: 'resize', attempts: 2, items });
    const { json: logs } = await runForJson(place, [
      'logs',
      'photos',
      'resize',
      '--item',
      '1',
      '--stream',
      'stdout',
    ]);
    expect(logs.logs).toEqual([
      { step: 'resize', section: 'step', attempt: 1, item: 1, stream: 'stdout', lines: ['one'] },
    ]);
    expect((await runEngine(place, ['status', 'photos'])).stdout).toMatch(/^resize +✔ succeeded +3\/3 /m);
  });
});
