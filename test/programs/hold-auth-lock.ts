/** A program that takes the lock of a home and never releases it: HOME. */
import { mkdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { authPaths } from '../../core/api/auth/identity.ts';
import { withFileLock } from '../../core/store/file-lock.ts';

const { lock } = authPaths(process.argv[2] ?? '');
mkdirSync(path.dirname(lock), { recursive: true });
withFileLock(lock, () => {
  writeSync(1, 'locked\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
