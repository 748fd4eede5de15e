import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from '../../../scripts/setup/built-output.mjs';
import { makeTemporaryFolder } from '../../harness/resources.ts';

test('takes over the lock of an exited owner', async () => {
  const lock = join(makeTemporaryFolder(), 'cache', 'build.lock');
  mkdirSync(lock, { recursive: true });
  // No process has a pid as high as that.
  writeFileSync(join(lock, 'pid'), '2147483646');
  await acquireLock(lock);
  expect(readFileSync(join(lock, 'pid'), 'utf8')).toBe(String(process.pid));
});

test('rejects a lock that cannot be created, without waiting', async () => {
  const name = 'x'.repeat(300);
  await expect(acquireLock(join(makeTemporaryFolder(), name))).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  });
});
