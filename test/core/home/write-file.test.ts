import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFile, putFile, renameFile, replaceFile } from '../../../core/home/write-file.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

it('flushes the name of a workflow file to disk before returning', () => {
  const folder = join(makeTemporaryFolder(), 'dags');
  const file = join(folder, 'etl.yaml');
  const settled: string[][] = [];
  const settle = (place: string): void => {
    settled.push([
      place,
      ...readdirSync(place).map((name) => `${name}: ${readFileSync(join(place, name), 'utf8')}`),
    ]);
  };
  createFile(file, 'a', settle);
  replaceFile(file, 'b', settle);
  putFile(file, 'c', settle);
  renameFile(file, join(folder, 'load.yaml'), settle);
  expect(settled).toEqual([
    [folder, 'etl.yaml: a'],
    [folder, 'etl.yaml: b'],
    [folder, 'etl.yaml: c'],
    [folder, 'load.yaml: c'],
  ]);
});

it.skipIf(process.platform === 'win32')('resolves a link to its target once', () => {
  const [linked, real] = ['linked', 'real'].map((name) => join(makeTemporaryFolder(), name));
  for (const folder of [linked!, real!]) mkdirSync(folder);
  createFile(join(real!, 'etl.yaml'), 'a');
  symlinkSync(join(real!, 'etl.yaml'), join(linked!, 'etl.yaml'));
  const settled: string[] = [];
  replaceFile(join(linked!, 'etl.yaml'), 'b', (place) => settled.push(place));
  expect(settled).toEqual([real]);
  expect(existsSync(join(linked!, 'etl.yaml'))).toBe(true);
});
