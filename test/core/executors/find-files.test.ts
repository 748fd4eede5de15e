import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseGlob, type Glob } from '../../../core/base/glob.ts';
import { findFiles } from '../../../core/executors/find-files.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

function globOf(text: string): Glob {
  const glob = parseGlob(text);
  if ('problem' in glob) throw new Error(glob.problem);
  return glob;
}

function fill(): string {
  const folder = makeTemporaryFolder();
  for (const file of ['a.txt', '.hidden', 'out/b.txt', 'out/deep/c.txt', 'out/deep/d.csv', '.git/e.txt']) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), file);
  }
  symlinkSync(path.join(folder, 'out'), path.join(folder, 'linked'));
  symlinkSync(path.join(folder, 'a.txt'), path.join(folder, 'link.txt'));
  return folder;
}

const find = (folder: string, glob: string): Promise<string[]> =>
  findFiles(folder, globOf(glob), new AbortController().signal);

test.each([
  ['*', ['a.txt', 'link.txt']],
  ['.*', ['.hidden']],
  ['**', ['a.txt', 'link.txt', 'out/b.txt', 'out/deep/c.txt', 'out/deep/d.csv']],
  ['**/*.csv', ['out/deep/d.csv']],
  ['out/*', ['out/b.txt']],
  ['out/**/[bc].txt', ['out/b.txt', 'out/deep/c.txt']],
  ['{a,out/b,none}.txt', ['a.txt', 'out/b.txt']],
  ['.git/*', ['.git/e.txt']],
  ['linked/*.txt', ['linked/b.txt']],
  ['*/b.txt', ['out/b.txt']],
  ['none/*', []],
  ['a.txt/x', []],
])('%s matches %j', async (glob, files) => {
  await expect(find(fill(), glob)).resolves.toEqual(files);
});

test('a search ends with the reason of its signal, also while in progress', async () => {
  const folder = fill();
  const stopped = new AbortController();
  const glob = globOf('**/*.txt');
  const step = glob.step.bind(glob);
  let names = 0;
  glob.step = (...args) => {
    names += 1;
    if (names === 3) stopped.abort(new Error('the step was stopped'));
    return step(...args);
  };

  await expect(findFiles(folder, glob, stopped.signal)).rejects.toThrow('the step was stopped');

  expect(names).toBe(3);
});

test('skips directories that cannot contain matching files', async () => {
  const folder = fill();
  const glob = globOf('out/*.txt');
  const step = glob.step.bind(glob);
  const seen: string[] = [];
  glob.step = (state, name, ...rest) => {
    seen.push(name);
    return step(state, name, ...rest);
  };

  await findFiles(folder, glob, new AbortController().signal);

  expect(seen.toSorted()).toEqual(['b.txt', 'deep', 'out']);
});
