import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatFsError } from '../../../core/base/errors.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

const getError = (operation: () => unknown): string => {
  try {
    operation();
  } catch (error) {
    return formatFsError(error);
  }
  throw new Error('the system has refused nothing');
};

test('describes system errors in words, without the code', () => {
  const folder = makeTemporaryFolder();
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(getError(() => readFileSync(folder))).toBe('it is a folder; expected a file');
  expect(getError(() => mkdirSync(file))).toBe(
    'another file or folder already exists there; remove it, or use another location',
  );
  expect(formatFsError(Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' }))).toBe(
    'the disk is read-only; make it writable, or use another location',
  );
});

test('falls back to the system’s message', () => {
  expect(getError(() => readFileSync(path.join(makeTemporaryFolder(), 'gone')))).toBe(
    'no such file or folder; check the path',
  );
  const busy = Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' });
  expect(formatFsError(busy)).toBe('EBUSY: resource busy');
  expect(formatFsError('a text')).toBe('a text');
});
