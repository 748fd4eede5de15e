import path from 'node:path';
import { expect, test } from 'vitest';
import { loadEngineConfig } from '../../../../core/home/config/engine-config.ts';
import { processEnvironment } from '../../../../core/home/config/home.ts';

const read = (environment: Record<string, string>) =>
  processEnvironment(environment, loadEngineConfig({ home: '/home', environment }).config);

test('makes path variables absolute for runs, which work in other directories', () => {
  const environment = {
    ENGINE_HOME: 'home',
    ENGINE_DAGS: 'flows',
    ENGINE_LOG_DIR: '/logs',
    ENGINE_DATA_DIR: '',
    ENGINE_WORK_DIR: 'work',
    ENGINE_BASE_CONFIG: 'base.yaml',
    LANG: 'C',
  };
  expect(read(environment)).toEqual({
    ...environment,
    ENGINE_HOME: path.resolve('home'),
    ENGINE_DAGS: path.resolve('flows'),
    ENGINE_WORK_DIR: path.resolve('work'),
    ENGINE_BASE_CONFIG: path.resolve('base.yaml'),
  });
});

test('omits unset variables', () => {
  expect(read({ PATH: '/bin' })).toEqual({ PATH: '/bin' });
});
