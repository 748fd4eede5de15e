import { expect, it } from 'vitest';
import { filterEnvironment } from '../../../core/process/environment.ts';

it('passes on exactly the variables that Dagu passes on', () => {
  const passed = {
    PATH: '/bin',
    HOME: '/home/u',
    LANG: 'C',
    TZ: 'UTC',
    SHELL: '/bin/sh',
    ENGINE_HOME: '/e',
    ENGINE_: 'prefix alone',
    LC_ALL: 'C.UTF-8',
    DAG_NAME: 'outer',
    DAG_EMPTY: '',
  };
  const kept = {
    USER: 'u',
    TMPDIR: '/tmp',
    LD_PRELOAD: 'x',
    ENGINEX: '1',
    DAGNAME: '1',
    path: '/x',
    MY_ENGINE_X: '1',
    LANGUAGE: 'en',
  };
  expect(filterEnvironment({ ...passed, ...kept, LC_UNSET: undefined }, 'linux')).toEqual(passed);
});

it('adds on Windows what programs cannot start without, in any case', () => {
  const passed = {
    Path: 'C:\\Windows',
    SystemRoot: 'C:\\Windows',
    ComSpec: 'cmd.exe',
    PATHEXT: '.EXE',
    engine_home: 'C:\\e',
  };
  expect(filterEnvironment({ ...passed, USERNAME: 'u' }, 'win32')).toEqual(passed);
  expect(filterEnvironment(passed, 'linux')).toEqual({});
});
