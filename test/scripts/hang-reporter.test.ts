import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../harness/resources.ts';

const root = join(import.meta.dirname, '../..');

test('a hanging test run ends as failed, and names what it waited for', async () => {
  const told = join(makeTemporaryFolder(), 'standstill.txt');
  const words = ['run', '--config', 'test/fixtures/standstill/vitest.config.ts'];
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: root,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], STANDSTILL_FILE: told },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(1);
  expect(existsSync(told)).toBe(true);
  const text = readFileSync(told, 'utf8');
  expect(text).toContain('test/fixtures/standstill/blocked.stuck.ts');
  expect(text).toMatch(/^ {2}\d+ S\S* sleep 3600$/m);
}, 60_000);
