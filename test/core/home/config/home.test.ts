import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { homePaths, resolveHome } from '../../../../core/home/config/home.ts';
import { prepareHome } from '../../../../core/home/config/prepare-home.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

function setUp() {
  const folder = makeTemporaryFolder();
  const samples = path.join(folder, 'samples');
  mkdirSync(path.join(samples, 'data'), { recursive: true });
  writeFileSync(path.join(samples, 'hello.yaml'), 'steps: ["true"]');
  writeFileSync(path.join(samples, 'data/rows.csv'), '1,2');
  return { folder, samples, paths: homePaths(path.join(folder, 'deep/home')) };
}

describe('preparing a home', () => {
  test('creates private directories and puts the samples into a new home', () => {
    const { samples, paths } = setUp();
    prepareHome(paths, samples);
    for (const place of [paths.home, paths.dags, paths.logs, path.dirname(paths.database)])
      expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(readFileSync(path.join(paths.dags, 'data/rows.csv'), 'utf8')).toBe('1,2');
    expect(readdirSync(paths.dags).toSorted()).toEqual(['data', 'hello.yaml']);
  });

  test('never restores the samples or touches user files', () => {
    const { samples, paths } = setUp();
    prepareHome(paths, samples);
    rmSync(path.join(paths.dags, 'data'), { recursive: true });
    writeFileSync(path.join(paths.dags, 'hello.yaml'), 'mine');
    prepareHome(paths, samples);
    expect(readdirSync(paths.dags)).toEqual(['hello.yaml']);
    expect(readFileSync(path.join(paths.dags, 'hello.yaml'), 'utf8')).toBe('mine');
  });

  test('works without samples', () => {
    const { paths } = setUp();
    prepareHome(paths);
    expect(readdirSync(paths.dags)).toEqual([]);
  });

  test('is rejected where a file is in the way', () => {
    const { folder } = setUp();
    const file = path.join(folder, 'taken');
    writeFileSync(file, '');
    for (const home of [file, path.join(file, 'below')])
      expect(() => prepareHome(homePaths(home))).toThrow(
        expect.objectContaining({ code: 'home_unusable', message: expect.stringContaining(home) }),
      );
  });
});

describe('home', () => {
  test('is the flag, else ENGINE_HOME, else the platform’s default', () => {
    expect(resolveHome({ ENGINE_HOME: '/from/env' }, '/from/flag')).toBe('/from/flag');
    expect(resolveHome({ ENGINE_HOME: 'from/env' })).toBe(path.resolve('from/env'));
    expect(resolveHome({ ENGINE_HOME: '' }, '')).toBe(resolveHome({}));
    expect(path.isAbsolute(resolveHome({}))).toBe(true);
  });

  test.runIf(process.platform === 'linux')('on Linux follows XDG_DATA_HOME when it is absolute', () => {
    expect(resolveHome({ XDG_DATA_HOME: '/data' })).toBe('/data/stepwright');
    expect(resolveHome({ XDG_DATA_HOME: 'data' })).toMatch(/\/\.local\/share\/stepwright$/);
  });
});
