import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureFolder, WorkingDirError } from '../../../../core/run/values/files.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

describe('working directory', () => {
  test('is created with its parent directories', () => {
    const folder = path.join(makeTemporaryFolder(), 'a', 'b', 'c');
    ensureFolder(folder);
    ensureFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  test('with a file in its way is rejected', () => {
    const file = path.join(makeTemporaryFolder(), 'file');
    writeFileSync(file, '');
    const error = new WorkingDirError(
      `Working directory ${file} does not exist and cannot be created: a file with this name already exists`,
    );
    expect(() => ensureFolder(file)).toThrow(error);
  });

  test('below a read-only directory is rejected at once', () => {
    const closed = path.join(makeTemporaryFolder(), 'closed');
    mkdirSync(closed, { mode: 0o500 });
    // The superuser can write anywhere but here; Node's own recursive `mkdir` never returns from it.
    const folder = process.platform === 'linux' ? '/proc/x/y' : path.join(closed, 'x');
    expect(() => ensureFolder(folder)).toThrow(WorkingDirError);
  });
});
