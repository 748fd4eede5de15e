import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { readText } from '../../../../core/home/library/read-text.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

test('reports why a file cannot be read, with a hint', () => {
  const file = join(makeTemporaryFolder(), 'circle.yaml');
  symlinkSync(file, file);
  expect(() => readText(file)).toThrow(
    new AppError('home_unusable', `Cannot read ${file}: too many levels of symbolic links.`, {
      details: { hint: 'fix the links' },
    }),
  );
});
