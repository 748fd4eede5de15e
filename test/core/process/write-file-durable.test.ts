import { fstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFileDurable } from '../../../core/process/write-file-durable.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

it('replaces a file when the new content is on disk', () => {
  const file = join(makeTemporaryFolder(), 'deep/er/kept.json');
  writeFileDurable(file, 'old');
  let size = 0;
  writeFileDurable(file, 'the new one', {
    sync(descriptor) {
      ({ size } = fstatSync(descriptor));
      expect(readFileSync(file, 'utf8')).toBe('old');
    },
  });
  expect(size).toBe(11);
  expect(readFileSync(file, 'utf8')).toBe('the new one');
});

it('keeps the old file when the write fails', () => {
  const file = join(makeTemporaryFolder(), 'kept.json');
  writeFileDurable(file, 'old');
  const refuse = (): never => {
    throw new Error('EIO: i/o error, fsync');
  };
  expect(() => writeFileDurable(file, 'new', { sync: refuse })).toThrow('EIO');
  expect(readFileSync(file, 'utf8')).toBe('old');
  writeFileDurable(file, 'newer', { encoding: 'utf16le' });
  expect(readFileSync(file, 'utf16le')).toBe('newer');
});

it.skipIf(process.platform === 'win32')('creates a file for its owner only', () => {
  const folder = join(makeTemporaryFolder(), 'folder');
  writeFileDurable(join(folder, 'own'), '');
  const modes = ['', 'own'].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});
