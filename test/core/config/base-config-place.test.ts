import path from 'node:path';
import { expect, test } from 'vitest';
import { findBaseConfig } from '../../../core/config/base-config-place.ts';

test('the base configuration is base.yaml in the home, unless ENGINE_BASE_CONFIG names another file', () => {
  const inHome = { file: path.join('/home', 'base.yaml'), isNamed: false };
  expect(findBaseConfig({}, '/home')).toEqual(inHome);
  expect(findBaseConfig({ ENGINE_BASE_CONFIG: '' }, '/home')).toEqual(inHome);
  const named = findBaseConfig({ ENGINE_BASE_CONFIG: 'shared/base.yaml' }, '/home');
  expect(named).toEqual({ file: path.resolve('shared/base.yaml'), isNamed: true });
});
