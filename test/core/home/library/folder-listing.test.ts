import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listNames } from '../../../../core/home/library/folder-listing.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

test('lists workflow files with any extension, and none of a missing directory', () => {
  const folder = path.join(makeTemporaryFolder(), 'dags');
  expect(listNames(folder)).toEqual(new Set());
  mkdirSync(folder);
  for (const file of ['a.yaml', 'b.yml', 'notes.txt', '.hidden.yaml'])
    writeFileSync(path.join(folder, file), '');
  expect(listNames(folder)).toEqual(new Set(['a', 'b']));
});
