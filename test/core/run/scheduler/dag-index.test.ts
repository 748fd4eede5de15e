import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../../core/base/logger.ts';
import { BaseFile } from '../../../../core/home/library/base-file.ts';
import { DagIndex } from '../../../../core/run/scheduler/dag-index.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

function setUp() {
  const home = makeTemporaryFolder();
  const folder = path.join(home, 'dags');
  mkdirSync(folder);
  // Later than any file, so that its content may be cached.
  const clock = new FakeClock(Date.UTC(2100, 0, 1));
  const warnings: string[] = [];
  const logger: Logger = {
    info() {},
    warn: (text) => warnings.push(text),
    error: (text) => warnings.push(text),
  };
  const base = new BaseFile({ file: path.join(home, 'base.yaml'), isNamed: false }, clock);
  const index = new DagIndex(folder, base, clock, logger);
  let age = 0;
  const write = (name: string, text: string, below = folder): void => {
    writeFileSync(path.join(below, name), text);
    age += 1;
    utimesSync(path.join(below, name), age, age);
  };
  const scan = async () => {
    const { changed, removed } = await index.scan();
    return { changed: changed.map(({ dag }) => dag), removed: [...removed] };
  };
  return { home, folder, index, warnings, write, scan };
}

const daily = 'schedule: "@daily"\nsteps: [a]\n';

describe('schedule index', () => {
  it('detects created, changed and deleted files', async () => {
    const { folder, index, write, scan } = setUp();
    write('a.yaml', daily);
    write('b.yml', daily);
    write('none.yaml', 'steps: [a]\n');
    write('.hidden.yaml', daily);
    write('notes.txt', daily);
    expect(await scan()).toEqual({ changed: ['a', 'b'], removed: [] });
    expect(await scan()).toEqual({ changed: [], removed: [] });
    write('a.yaml', 'schedule: "@hourly"\ncatchup: all\nsteps: [a]\n');
    write('b.yml', `# the same\n${daily}`);
    expect(await scan()).toEqual({ changed: ['a'], removed: [] });
    expect(index.dags.get('a')).toMatchObject({ schedule: { start: ['0 * * * *'] }, catchup: 'all' });
    rmSync(path.join(folder, 'a.yaml'));
    write('b.yml', 'steps: [a]\n');
    expect(await scan()).toEqual({ changed: [], removed: ['b', 'a'] });
  });

  it('uses the first of two files with one name', async () => {
    const { index, write, scan } = setUp();
    write('a.yaml', daily);
    write('a.yml', 'schedule: "@hourly"\nsteps: [a]\n');
    await scan();
    expect(index.dags.get('a')?.schedule.start).toEqual(['0 0 * * *']);
  });

  it('parses flow style, anchors and other syntax, too', async () => {
    const { index, write, scan } = setUp();
    write('flow.yaml', '{schedule: "@daily", steps: [a]}');
    write('anchor.yaml', 'description: &when "@daily"\nschedule: *when\nsteps: [a]\n');
    write('snake.yaml', 'schedule: "@daily"\ncatchup_window: 2h\nTZ: Europe/Berlin\nsteps: [a]\n');
    await scan();
    expect([...index.dags.keys()].toSorted()).toEqual(['anchor', 'flow', 'snake']);
    expect(index.dags.get('snake')).toMatchObject({
      schedule: { start: ['CRON_TZ=Europe/Berlin 0 0 * * *'] },
      catchupWindowSec: 7200,
    });
  });

  it('disables an invalid file, reports it once, and enables it when it is fixed', async () => {
    const { warnings, write, scan } = setUp();
    write('a.yaml', daily);
    write('bad.yaml', 'schedule: "99 * * * *"\nsteps: [a]\n');
    expect(await scan()).toEqual({ changed: ['a'], removed: [] });
    await scan();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('bad.yaml:1:11');
    write('bad.yaml', daily);
    expect(await scan()).toEqual({ changed: ['bad'], removed: [] });
    write('bad.yaml', 'schedule: [\n');
    expect(await scan()).toEqual({ changed: [], removed: ['bad'] });
  });

  it('follows the base configuration', async () => {
    const { home, index, write, scan } = setUp();
    write('a.yaml', daily);
    write('plain.yaml', 'steps: [a]\n');
    await scan();
    write('base.yaml', 'timezone: Asia/Tokyo\nschedule: "@hourly"\n', home);
    expect(await scan()).toEqual({ changed: ['a', 'plain'], removed: [] });
    expect(index.dags.get('a')?.schedule.start).toEqual(['CRON_TZ=Asia/Tokyo 0 0 * * *']);
    expect(index.dags.get('plain')?.schedule.start).toEqual(['CRON_TZ=Asia/Tokyo 0 * * * *']);
  });

  it('is empty without a directory', async () => {
    const { folder, write, scan } = setUp();
    write('a.yaml', daily);
    await scan();
    rmSync(folder, { recursive: true });
    expect(await scan()).toEqual({ changed: [], removed: ['a'] });
  });
});
