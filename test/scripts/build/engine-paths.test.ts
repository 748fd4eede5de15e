import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Operation } from '../../../core/contract/operation.ts';
import { operations } from '../../../core/contract/operations.ts';
import { getPrefix } from '../../../core/contract/transport.ts';
import { ENGINE_PATHS } from '../../../scripts/build/node-programs.ts';

const isOfEngine = (address: string): boolean => new RegExp(ENGINE_PATHS).test(address);

it('the engine has its routes in development, and none of the modules of the renderer', () => {
  const folder = path.join(import.meta.dirname, '../../../renderer');
  const modules = globSync('**/*.{ts,tsx,css}', { cwd: folder });
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((file) => isOfEngine(`/${file.replaceAll('\\', '/')}`))).toEqual([]);
  const routes = Object.values<Operation>(operations).map(
    (operation) => getPrefix(operation) + operation.path,
  );
  expect(routes.filter((route) => !isOfEngine(route))).toEqual([]);
});
