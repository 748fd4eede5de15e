import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

/** A home whose workflow `etl` has run once and stored two artifacts. */
async function createCachedCode(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(
    place,
    'etl',
    'steps:\n  - name: draw\n    command: mkdir -p plots; echo a > plots/a.png; echo model > model.bin\n    outputFiles: [model.bin, "plots/*.png"]\n',
  );
  expect(await runEngine(place, ['start', 'etl', '--run-id', 'first', '-q'])).toMatchObject({ code: 0 });
  return place;
}

describe('engine artifacts', () => {
  it('lists the artifacts of a run, with step and attempt', async () => {
    const place = await createCachedCode();
    const { stdout } = await runEngine(place, ['artifacts', 'etl']);
    expect(stdout).toMatch(/^ARTIFACT +SIZE +STEP +ATTEMPT +KEPT$/m);
    expect(stdout).toMatch(/^model\.bin +6 bytes +draw +1 /m);
    const { json } = await runForJson(place, ['artifacts', 'etl', '--run-id', 'first']);
    expect(json).toMatchObject({
      dagRunId: 'first',
      artifacts: [
        { name: 'model.bin', bytes: 6, step: 'draw', section: 'step', attempt: 1 },
        { name: 'plots/a.png', bytes: 2, step: 'draw' },
      ],
    });
  });

  it('saves artifacts by name, all of them, or to stdout', async () => {
    const place = await createCachedCode();
    expect(await runEngine(place, ['artifacts', 'etl', 'plots/a.png'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Saved plots/a.png\n',
    });
    expect(readFileSync(join(place.cwd, 'plots/a.png'), 'utf8')).toBe('a\n');
    const all = await runForJson(place, ['artifacts', 'etl', '--all', '-d', 'results']);
    expect(all.json).toEqual({ name: 'etl', dagRunId: 'first', saved: ['model.bin', 'plots/a.png'] });
    expect(readdirSync(join(place.cwd, 'results')).sort()).toEqual(['model.bin', 'plots']);
    const { stdout } = await runEngine(place, ['artifacts', 'etl', 'model.bin', '--stdout']);
    expect(stdout).toBe('model\n');
  });

  it('reports missing artifacts and conflicting options', async () => {
    const place = await createCachedCode();
    expect(await runEngine(place, ['artifacts', 'etl', 'none.txt'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('has no artifact "none.txt"'),
    });
    expect(readdirSync(place.cwd)).not.toContain('none.txt');
    expect(await runEngine(place, ['artifacts', 'etl', '--stdout'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Option --stdout requires exactly one artifact name.'),
    });
    expect((await runEngine(place, ['artifacts', 'etl', 'model.bin', '--all'])).code).toBe(2);
  });

  it('also saves from a server', async () => {
    const there = await createCachedCode();
    const server = startEngine(there, ['server', '--port', '0']);
    await waitForText(server.stdout, /ready at \S+\n/);
    const variables = { ENGINE_SERVER: /ready at (\S+)/.exec(server.stdout())![1] };
    const here = makeTestHome();
    expect(await runEngine(here, ['artifacts', 'etl', 'model.bin'], variables)).toMatchObject({ code: 0 });
    expect(readFileSync(join(here.cwd, 'model.bin'), 'utf8')).toBe('model\n');
  });
});
