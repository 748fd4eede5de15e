import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
import { waitUntilPasses } from '../harness/resources.ts';

const configure = ({ home }: TestHome, text: string): void => writeFileSync(join(home, 'config.yaml'), text);

describe('folders outside the home', () => {
  /** Workflows by a relative variable; logs and data by the configuration file. */
  function makeSpread() {
    const place = makeTestHome({ isNew: true });
    configure(place, 'paths: {logDir: ../kept/logs, dataDir: ../kept/data}\n');
    mkdirSync(join(place.cwd, 'flows'));
    writeFileSync(join(place.cwd, 'flows', 'etl.yaml'), 'steps:\n  - name: say\n    command: echo said\n');
    const run = (...args: string[]) => runEngine(place, args, { ENGINE_DAGS_DIR: 'flows' });
    return { place, kept: join(place.home, '../kept'), run };
  }

  it('are used by every command', async () => {
    const { place, kept, run } = makeSpread();
    for (const args of [['validate', 'etl'], ['dry', 'etl'], ['start', '-q', 'etl'], ['check']])
      expect({ words: args, ...(await run(...args)) }).toMatchObject({ words: args, code: 0 });
    expect((await run('dry', 'etl')).stdout).toContain(join(kept, 'logs', 'etl'));
    expect((await run('logs', 'etl', '--stream', 'stdout')).stdout).toContain('said');
    expect((await run('dags')).stdout).toMatch(/^etl /m);
    expect((await run('start', 'elt')).stderr).toContain(join(place.cwd, 'flows'));
    expect(readdirSync(join(kept, 'logs', 'etl'))).toHaveLength(1);
    expect((await run('cleanup', 'etl', '--yes')).stdout).toContain('1 log folder');
    expect(existsSync(join(kept, 'logs', 'etl'))).toBe(false);
    expect((await run('users', 'create', 'ann', '--role', 'viewer')).code).toBe(2);
    expect((await run('auth', 'rotate-key')).code).toBe(0);
    expect(readdirSync(join(kept, 'data'))).toEqual(expect.arrayContaining(['auth.key', 'engine.db']));
    expect(readdirSync(place.home).toSorted()).toEqual(['config.yaml', 'dags']);
  });

  it('are backed up as part of the home and restored into it', async () => {
    const { place, kept, run } = makeSpread();
    await run('start', '-q', 'etl');
    expect((await run('backup', '--logs', 'all.tar.gz')).code).toBe(0);
    expect(await run('restore', 'all.tar.gz', '--force')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`data (${join(kept, 'data')})`),
    });
    const other = join(place.cwd, 'other');
    const restored = await runEngine(place, ['restore', 'all.tar.gz', '--engine-home', other]);
    expect(restored).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('remove "paths" from it, or move the restored files there'),
    });
    expect(existsSync(join(other, 'dags', 'etl.yaml'))).toBe(true);
    expect(existsSync(join(other, 'data', 'engine.db'))).toBe(true);
    expect(readdirSync(join(other, 'logs'))).toEqual(['etl']);
    writeFileSync(join(other, 'config.yaml'), '');
    expect((await runEngine(place, ['history', '--engine-home', other])).stdout).toContain('etl');
  });

  it('are passed to engine commands within a step, in any working directory', async () => {
    const { place, run } = makeSpread();
    const text = `cd / && "$NODE" "$ENGINE" dags`;
    const more = [
      '-E',
      `NODE=${process.execPath}`,
      '-E',
      `ENGINE=${join(import.meta.dirname, '../../out/cli/engine.js')}`,
    ];
    expect((await run('exec', '-q', ...more, '--', text)).stdout).toMatch(/^etl$/m);
    expect(existsSync(place.home)).toBe(true);
  });
});

it('a long-running process logs one JSON object per line when configured', async () => {
  const place = makeTestHome();
  configure(place, 'debug: true\nlogFormat: json\nscheduler: {port: 0}\n');
  const server = startEngine(place, ['server', '--port', '0']);
  const scheduler = startEngine(place, ['scheduler']);
  await waitForText(server.stdout, /ready at/);
  await waitForText(scheduler.stdout, /Stepwright scheduler started for/);
  for (const engine of [server, scheduler]) {
    engine.kill('SIGTERM');
    const { stderr } = await engine.ended;
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string });
    expect(lines[0]).toMatchObject({
      time: expect.stringMatching(/Z$/),
      level: 'warning',
      message: expect.stringContaining('ENGINE_DEBUG'),
    });
  }
  // A command prints for people, whatever its home configures.
  expect((await runEngine(place, ['history'])).stderr).toMatch(/^engine: warning: /);
});

it('a scheduler leaves its runs to the next host when configured to', async () => {
  const place = makeTestHome();
  saveDag(place, 'long', 'steps:\n  - name: work\n    command: while [ ! -e go ]; do sleep 0.02; done\n');
  const scheduler = startEngine(place, ['scheduler', '--port', '0', '--on-stop', 'leave']);
  await waitForText(scheduler.stdout, /Stepwright scheduler started for/);
  await runEngine(place, ['enqueue', 'long', '-r', 'one', '--default-working-dir', place.cwd]);
  const statusBecomes = (status: string) =>
    waitUntilPasses(async () =>
      expect((await runForJson(place, ['status', 'long'])).json.status).toBe(status),
    );
  await statusBecomes('running');
  await waitForText(() => String(existsSync(join(place.home, 'logs', 'long'))), /true/);
  scheduler.kill('SIGTERM');
  expect((await scheduler.ended).code).toBe(0);
  writeFileSync(join(place.cwd, 'go'), '');
  expect((await runEngine(place, ['recover', '-q'])).code).toBe(0);
  await statusBecomes('succeeded');
});
