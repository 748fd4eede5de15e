import path from 'node:path';
import { expect, test } from 'vitest';
import { findBaseConfig } from '../../../../core/home/config/home.ts';

test('the base configuration is base.yaml in the home, unless another file is named', () => {
  expect(findBaseConfig('/home', undefined)).toEqual({
    file: path.join('/home', 'base.yaml'),
    isNamed: false,
  });
  expect(findBaseConfig('/home', '/shared/base.yaml')).toEqual({ file: '/shared/base.yaml', isNamed: true });
});
